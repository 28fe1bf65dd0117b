// Catalogues as the build compiles them (words.mjs): plain messages are strings, others are parsed already.
declare module '*.json' {
  const messages: Readonly<
    Record<keyof import('./keys.gen.ts').Messages, string | import('@formatjs/icu-messageformat-parser').MessageFormatElement[]>
  >;
  export default messages;
}
