// Who may import whom. The same table stands in ARCHITECTURE.md; `npm run check` holds the code against it.
const rooms = ['media', 'models', 'db', 'engine', 'api', 'bench', 'test'];
const only = (from, allowed, extra = []) => ({
  name: `${from}-imports`,
  severity: 'error',
  comment: `${from}/ may import only: ${[from, ...allowed, ...extra].join(', ')}`,
  from: { path: `^${from}/` },
  to: {
    path: `^(${rooms.filter((room) => room !== from && !allowed.includes(room)).join('|')})/`,
    ...(extra.length ? { pathNot: extra.map((path) => `^${path}`) } : {}),
  },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    only('media', []),
    only('models', ['media']),
    only('db', []),
    {
      name: 'db-shared',
      severity: 'error',
      comment: 'db/shared/ is what the two processes have in common beside the tables: it knows no tables',
      from: { path: '^db/shared/' },
      to: { path: '^db/(?!shared/)' },
    },
    {
      name: 'db-reads-no-environment',
      severity: 'error',
      comment: 'the tables and their queries get what they need as arguments',
      from: { path: '^db/(?!shared/)' },
      to: { path: '^db/shared/(environment|metrics)' },
    },
    only('engine', ['media', 'models', 'db']),
    only('api', ['db'], ['models/llm/', 'models/catalogue']),
    {
      name: 'no-test-in-product',
      severity: 'error',
      from: { path: '^(media|models|db|engine|api)/' },
      to: { path: '^(test|bench)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.json'] },
  },
};
