// Catalogues as the build compiles them (words.mjs): plain messages are strings, others are parsed already.
declare module '*.json' {
  type Key = keyof import('./keys.gen.ts').Messages;
  type Elements = import('@formatjs/icu-messageformat-parser').MessageFormatElement[];
  const messages: Readonly<Partial<Record<Key, string | Elements>>>;
  export default messages;
}
