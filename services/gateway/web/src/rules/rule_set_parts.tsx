// What the page of the rule sets has: the presets, each field with its values, and where presets part from the Laws.
import type { VNode } from 'preact';
import { Section } from '../ui/section.tsx';
import { listText } from '../words/language.ts';
import { say } from '../words/say.ts';
import type { Departure, RulesPage } from './page_data.ts';

export function RuleSetParts({ page }: { page: RulesPage }): VNode | null {
  if (page.presets.length === 0) return null;
  const title = (key: string): string => page.presets.find((preset) => preset.key === key)?.title ?? key;
  const name = (field: string): string => page.rules.find((rule) => rule.field === field)?.name ?? field;
  const words = (field: string, value: string): string =>
    page.rules.find((rule) => rule.field === field)?.values.find((entry) => entry.value === value)?.text ?? value;
  return (
    <>
      <Section title={say('rules.presets')}>
        {page.presets.map((preset) => (
          <div key={preset.key} class="entry" id={preset.key}>
            <h3>{preset.title}</h3>
            <p>{preset.text}</p>
            <details>
              <summary>{say('rules.allRulesOf', { name: preset.title })}</summary>
              <dl class="fields">
                {Object.entries(preset.values).map(([field, value]) => (
                  <div key={field}>
                    <dt>{name(field)}</dt>
                    <dd>{words(field, value)}</dd>
                  </div>
                ))}
              </dl>
            </details>
          </div>
        ))}
      </Section>
      <Section title={say('rules.ruleByRule')}>
        {page.rules.map((rule) => (
          <div key={rule.field} class="entry" id={rule.field}>
            <h3>
              {rule.name}
              {rule.article && <span class="article">{say('rules.article', { article: rule.article })}</span>}
            </h3>
            <p>{rule.text}</p>
            <ul class="values">
              {rule.values.map((value) => (
                <li key={value.value}>
                  {value.text} {rule.law.includes(value.value) && <strong>{say('rules.theLaws')}</strong>}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </Section>
      <Section title={say('rules.departures')}>
        {page.departures.map((departure) => (
          <div key={departure.field} class="entry">
            <h3>
              {name(departure.field)}
              <span class="article">{say('rules.article', { article: departure.article })}</span>
            </h3>
            <dl class="fields">
              <div>
                <dt>{say('rules.lawsAnd', { presets: listText(departure.keeps.map(title)) })}</dt>
                <dd>{departure.law}</dd>
              </div>
              {[...new Set(Object.values(departure.departs))].map((text) => (
                <div key={text}>
                  <dt>{listText(presetsThat(departure, text).map(title))}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </Section>
    </>
  );
}

const presetsThat = (departure: Departure, text: string): string[] =>
  Object.keys(departure.departs).filter((preset) => departure.departs[preset] === text);
