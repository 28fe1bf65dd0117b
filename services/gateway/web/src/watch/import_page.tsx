// A finished game out of a PGN: pasted, or chosen as a file.
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Imported } from '../net/rest.gen.ts';
import { call, RestError } from '../net/rest.ts';
import { goTo } from '../ui/go.ts';
import { PlainPage } from '../ui/plain_page.tsx';
import { problemText } from '../words/problem.ts';
import { say } from '../words/say.ts';
import { lineOf, lineRange } from './import_place.ts';

/** Keep a finished game out of a PGN; the bytes go as they are, since what encoding they have is the server's question. */
const importGame = (pgn: Blob): Promise<Imported> =>
  call('POST /api/import', { body: pgn });

/** The beginning of a PGN, which is the same in all languages. */
const SAMPLE = '[White "Réti"]\n[Black "Tartakower"]\n\n1. e4 c6 2. d4 d5 …';

export function ImportPage(): VNode {
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);

  const chosen = async (picked: File | undefined): Promise<void> => {
    if (!picked) return;
    setFault(null);
    setFile(picked);
    // Shown for reading; what is sent are the bytes of the file, until somebody edits them here.
    setText(await picked.text());
  };

  const send = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      const { id } = await importGame(file ?? new Blob([text]));
      goTo(`/${id}`);
    } catch (error) {
      const line = error instanceof RestError ? lineOf(error.at) : null;
      setFault(problemText(error));
      setBusy(false);
      if (line !== null && area.current) showLine(area.current, line);
    }
  };

  return (
    <PlainPage title={say('watch.title')}>
      <main class="narrow">
        <form
          class="card import"
          aria-labelledby="import-title"
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <h1 id="import-title">{say('watch.title')}</h1>
          <p class="hint">{say('watch.hint')}</p>
          <label class="field">
            <span>{say('watch.file')}</span>
            <input type="file" accept=".pgn,.txt,text/plain,application/x-chess-pgn" onChange={(event) => void chosen(event.currentTarget.files?.[0])} />
          </label>
          <label class="field">
            <span>{say('watch.text')}</span>
            <textarea
              ref={area}
              name="pgn"
              rows={14}
              spellcheck={false}
              required
              value={text}
              aria-invalid={fault !== null}
              aria-describedby="import-fault"
              placeholder={SAMPLE}
              onInput={(event) => {
                setText(event.currentTarget.value);
                setFile(null);
              }}
            />
          </label>
          <p class="problem" role="alert" id="import-fault" data-testid="import-fault">
            {fault}
          </p>
          <button type="submit" class="primary large" disabled={busy}>
            {say('watch.import')}
          </button>
        </form>
      </main>
    </PlainPage>
  );
}

/** Select a line and bring it into view. */
function showLine(area: HTMLTextAreaElement, line: number): void {
  const [start, end] = lineRange(area.value, line);
  area.focus();
  area.setSelectionRange(start, end);
  const height = area.scrollHeight / Math.max(1, area.value.split('\n').length);
  area.scrollTop = Math.max(0, height * (line - 3));
}
