// The rules in words: the list of pages, and the page of a variant or of the rule sets.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ROLES } from '../chess/position.ts';
import { variantOf } from '../chess/variants.ts';
import { Piece } from '../ui/piece.tsx';
import { PlainPage } from '../ui/plain_page.tsx';
import { Section } from '../ui/section.tsx';
import { SmallBoard } from '../ui/small_board.tsx';
import type { Part } from '../words/keys.gen.ts';
import { LANGUAGE, listText } from '../words/language.ts';
import { problemText } from '../words/problem.ts';
import { say, sayRich } from '../words/say.ts';
import {
  rulesIndex,
  rulesPage,
  sourceNumber,
  type Option,
  type RulesIndex,
  type RulesPage as RulesPageData,
  type Said,
} from './page_data.ts';
import { RuleSetParts } from './rule_set_parts.tsx';

/** The page of rules under a key, or the list of pages. */
export function RulesPage({ of }: { of: string | null }): VNode {
  const [index, setIndex] = useState<RulesIndex | null>(null);
  const [page, setPage] = useState<RulesPageData | null | undefined>(undefined);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    const load = async (): Promise<void> => {
      try {
        if (of !== null) setPage(await rulesPage(of));
        setIndex(await rulesIndex());
      } catch (error) {
        setProblem(problemText(error));
      }
    };
    void load();
  }, [of]);

  useEffect(() => {
    // The part that the address names came only now.
    if (page && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [page]);

  const title = of !== null && page ? say('rules.pageTitle', { name: page.name }) : say('rules.title');
  return (
    <PlainPage title={title}>
      <main class="rules" aria-busy={index === null && !problem}>
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {index && of !== null && <Ways index={index} here={page?.key ?? null} />}
        {index && of === null && <List index={index} />}
        {index && of !== null && page === null && <p data-testid="no-rules">{say('rules.noRules')}</p>}
        {of !== null && page && <Article page={page} index={index} />}
      </main>
    </PlainPage>
  );
}

function Ways({ index, here }: { index: RulesIndex; here: string | null }): VNode {
  return (
    <nav class="ways" aria-label={say('rules.rules')}>
      {index.pages.map(({ key, name }) => (
        <a key={key} href={`/rules/${key}`} aria-current={key === here ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

function List({ index }: { index: RulesIndex }): VNode {
  return (
    <>
      <h1>{say('rules.title')}</h1>
      <ul class="rules-list">
        {index.pages.map((page) => (
          <li key={page.key}>
            <a class="card" href={`/rules/${page.key}`}>
              <strong>{page.name}</strong>
              <span>{page.summary}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

const SAID = ['moves', 'wins', 'draws', 'material', 'time'] as const;

function Article({ page, index }: { page: RulesPageData; index: RulesIndex | null }): VNode {
  const base = index?.pages.find(({ key }) => key === page.builtOn);
  return (
    <article class={page.kind === 'variant' && ['shatranj', 'chaturanga'].includes(page.key) ? 'old-men' : ''}>
      <h1>{page.name}</h1>
      <p class="summary">{page.summary}</p>
      {page.reconstruction && <p class="mark-note">{say('rules.reconstruction')}</p>}
      {page.idea.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {base && (
        <p class="mark-note">
          {sayRich('rules.builtOn', { name: base.name, link: (parts) => <a href={`/rules/${base.key}`}>{parts}</a> })}
        </p>
      )}
      <Start page={page} />
      <Men page={page} />
      {SAID.map((part) => (
        <Section key={part} title={say(`rules.${part}`)} shown={page[part].length > 0}>
          {page[part].map((said) => (
            <SaidText key={said.name} said={said} page={page} />
          ))}
        </Section>
      ))}
      <RuleSetParts page={page} />
      <Section title={say('rules.decisions')} shown={page.decisions.length > 0}>
        {page.decisions.map((said) => (
          <SaidText key={said.name} said={said} page={page} />
        ))}
      </Section>
      <Section title={say('rules.disputed')} shown={page.options.length > 0}>
        {page.options.map((option) => (
          <Disputed key={option.field} option={option} />
        ))}
      </Section>
      <Section title={say('rules.duration')}>
        <p>{page.duration.text}</p>
      </Section>
      <Section title={say('rules.questions')}>
        {page.faq.map(({ question, answer }) => (
          <Entry key={question} name={question}>
            {answer}
          </Entry>
        ))}
      </Section>
      <Section title={say('rules.glossary')}>
        {page.glossary.map(({ term, text }) => (
          <Entry key={term} name={term}>
            {text}
          </Entry>
        ))}
      </Section>
      <Section title={say('rules.sources')}>
        <ol class="sources">
          {page.sources.map((source) => (
            <li key={source.id} id={`source-${source.id}`}>
              {sourceText(source)}
            </li>
          ))}
        </ol>
      </Section>
      <p class="hint">{say('rules.lastChanged', { date: page.updated })}</p>
    </article>
  );
}

function sourceText(source: RulesPageData['sources'][number]): ComponentChildren {
  const { title, author, edition, jurisdiction, link, language, settles } = source;
  const cite = (parts: readonly Part[]): VNode => (
    <cite lang={language}>
      {link ? (
        <a href={link} target="_blank" rel="noreferrer">
          {parts}
        </a>
      ) : (
        parts
      )}
    </cite>
  );
  const known = { title, author, edition, jurisdiction: jurisdiction ?? 'none', settles, cite };
  return language === LANGUAGE ? sayRich('rules.source', known) : sayRich('rules.sourceIn', { ...known, language });
}

function Start({ page }: { page: RulesPageData }): VNode | null {
  if (!page.start) return null;
  const variant = variantOf(page.key);
  const boards = [{ fen: page.start.fen, text: page.start.text.join(' ') }, ...page.start.others];
  return (
    <Section title={say('rules.start')}>
      <div class="diagrams">
        {boards.map(({ fen, text }) => (
          <figure key={fen + text}>
            <SmallBoard fen={fen} variant={variant} orientation="white" lastMove={null} />
            <figcaption>
              {text}
              <code>{fen}</code>
            </figcaption>
          </figure>
        ))}
      </div>
    </Section>
  );
}

function Men({ page }: { page: RulesPageData }): VNode {
  return (
    <Section title={say('rules.pieces')} shown={page.men.length > 0}>
      <dl class="men">
        {page.men.map((man) => (
          <div key={man.letter}>
            <dt>
              <Piece role={ROLES[man.letter.toLowerCase()]!} color="white" />
              <strong>{man.name}</strong>
              <span>{listText([man.letter, ...man.also])}</span>
              {man.value !== null && <span>{say('rules.value', { value: man.value })}</span>}
            </dt>
            <dd>{man.moves}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function SaidText({ said, page }: { said: Said; page: RulesPageData }): VNode {
  return (
    <Entry name={said.name} article={said.article}>
      {said.text}
      {said.sources.map((id) => (
        <>
          {' '}
          <a href={`#source-${id}`} title={page.sources.find((source) => source.id === id)?.title}>
            [{sourceNumber(page, id)}]
          </a>
        </>
      ))}
    </Entry>
  );
}

function Disputed({ option }: { option: Option }): VNode {
  return (
    <div class="entry" id={option.field}>
      <h3>{option.question}</h3>
      <ul class="values">
        {option.values.map((value) => (
          <li key={value.value}>
            {value.text} {value.value === option.default && <strong>{say('rules.usual')}</strong>}
            {value.source && <small>{value.source}</small>}
          </li>
        ))}
      </ul>
      <p class="hint">{option.evidence}</p>
    </div>
  );
}

interface EntryProps {
  name: string;
  article?: string | null;
  children: ComponentChildren;
}

function Entry({ name, article, children }: EntryProps): VNode {
  return (
    <div class="entry">
      <h3>
        {name}
        {article && <span class="article">{say('rules.article', { article })}</span>}
      </h3>
      <p>{children}</p>
    </div>
  );
}
