// What a game is played on, in a line: time, variant, rule set, each with its page. Of an imported game only the variant.
import type { VNode } from 'preact';
import { choiceOf, rulesHref, type ShownRules } from '../chess/rule_sets.ts';
import { variantOf } from '../chess/variants.ts';
import { isImported, type GameInfo } from '../net/wire.ts';
import { chaturangaLines, ruleSetLines, ruleSetName, variantLine, variantName } from '../words/rule_words.ts';
import { say } from '../words/say.ts';
import { termTexts } from '../words/wording.ts';

export function GameTerms({ info, rules, watching }: { info: GameInfo; rules: ShownRules; watching: boolean }): VNode {
  const variant = variantOf(info.variant);
  const imported = isImported(info);
  const [first, ...more] = termTexts(info);
  const options = variant === 'chaturanga' && !imported ? chaturangaLines(rules.chaturanga) : [];
  return (
    <div class="terms" data-testid="terms">
      <strong>{first}</strong>
      {more.map((text) => (
        <span key={text}>{text}</span>
      ))}
      <a href={`/rules/${variant}`} title={[variantLine(variant), ...options].join('\n')}>
        {variantName(variant)}
      </a>
      {!imported && (
        <a href={rulesHref(choiceOf(rules).preset)} title={ruleSetLines(rules).join('\n')}>
          {ruleSetName(rules)}
        </a>
      )}
      {watching && <span data-testid="spectator">{say('play.watching')}</span>}
    </div>
  );
}
