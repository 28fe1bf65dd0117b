// The arrows among the folders of the page, and no circle of files (imports of types count). `npm run check` holds them,
// by dependency-cruiser; test/layers.test.ts shows that each rule finds its breach.
import { fileURLToPath } from 'node:url';

/** A folder may import from the rows before its own. Folders of one row do not import each other. */
const ROWS = [
  ['chess'], // colours, variants, rule sets, positions: what holds without a server
  ['net'], // frames, sockets, REST, the account
  ['words'], // texts for people
  ['ui'], // parts that several features show
  ['rules'], // the pages of rules, the choice of rules
  ['invite'], // invitations and their terms
  ['party'],
  ['play'], // a game: its state, its board, what stands around it
  ['lobby', 'people', 'watch'],
];

/** @param {readonly string[]} folders */
const within = (folders) => `^src/(${folders.join('|')})/`;

const layers = ROWS.flatMap((row, at) =>
  row.map((folder) => ({
    name: `layer-${folder}`,
    severity: /** @type {const} */ ('error'),
    from: { path: within([folder]) },
    to: { path: '^src/', pathNot: within([folder, ...ROWS.slice(0, at).flat()]) },
  })),
);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layers,
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-lost-import', severity: 'error', from: {}, to: { couldNotResolve: true } },
    // A folder without a row would escape the layers.
    {
      name: 'known-folder',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: [within(ROWS.flat()), '^src/styles/'] },
    },
    { name: 'no-test-in-page', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: fileURLToPath(new URL('tsconfig.json', import.meta.url)) },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
};
