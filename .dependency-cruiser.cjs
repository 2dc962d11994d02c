/** Rules for dependency-cruiser, made from the table in rooms.cjs. */
const { rooms, files, packages, builtins } = require('./rooms.cjs');

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
/** Matches the path of a room (a folder) or of a file that stands in src/ itself. */
const placeOf = (name) => (name in files ? `^src/${name}\\.ts$` : `^src/${name}/`);
const inPackage = (name) => `(^|/)node_modules/(@types/)?${escaped(name)}/`;

const walls = Object.entries({ ...rooms, ...files }).map(([name, may]) => ({
  name: `room ${name}`,
  comment: `${name} may import: ${may.length === 0 ? 'no other room' : may.join(', ')}`,
  severity: 'error',
  from: { path: placeOf(name) },
  to: {
    path: '^src/',
    pathNot: [name, ...may.flatMap((one) => (one === '*' ? Object.keys(rooms) : [one]))].map(placeOf),
  },
}));

const keys = Object.entries(packages).map(([name, may]) => ({
  name: `package ${name}`,
  comment: `${name} may be imported in: ${may.join(', ')}`,
  severity: 'error',
  from: { path: '^src/', pathNot: may.map(placeOf) },
  to: { path: inPackage(name) },
}));

const coreKeys = Object.entries(builtins).map(([name, may]) => ({
  name: `builtin node:${name}`,
  comment: `node:${name} may be imported in: ${may.length === 0 ? 'no room' : may.join(', ')}`,
  severity: 'error',
  from: { path: '^src/', ...(may.length === 0 ? {} : { pathNot: may.map(placeOf) }) },
  to: { dependencyTypes: ['core'], path: `^(node:)?${name}(/|$)` },
}));

module.exports = {
  forbidden: [
    ...walls,
    ...keys,
    ...coreKeys,
    {
      name: 'package not in the table',
      comment: 'every npm package is a key to rooms: add it to rooms.cjs',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '(^|/)node_modules/', pathNot: Object.keys(packages).map(inPackage) },
    },
    {
      name: 'not found',
      comment: 'the import leads nowhere',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'outside src',
      comment: 'the service never uses what only tests and scripts are made of',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts|bench|dashboard)/' },
    },
    {
      name: 'cycle',
      comment: 'two files that need each other are one file, or lack a third',
      severity: 'error',
      from: { path: '^(src|dashboard/src)/' },
      to: { circular: true },
    },
  ],
  options: {
    // Also what the compiler erases: a type import is a door like any other.
    tsPreCompilationDeps: true,
    doNotFollow: { path: '(^|/)node_modules/' },
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
