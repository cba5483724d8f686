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

/** Inside the engine imports run downwards: the room on the left may import what stands on its right, and itself. */
const FLOORS = [
  ['turn', []],
  ['sip', ['clock.ts', 'config.ts']],
  ['shard', ['clock.ts', 'turn/', 'sip/telephony.ts']],
  ['campaign', ['clock.ts', 'outcome.ts', 'admission.ts', 'trunk-book.ts']],
  ['call', ['clock.ts', 'outcome.ts', 'refusal.ts', 'turn/', 'shard/', 'sip/telephony.ts', 'campaign/retry.ts']],
];
const floors = FLOORS.map(([room, below]) => ({
  name: `engine-${room}-imports`,
  severity: 'error',
  comment: `engine/${room}/ may import of the engine only: ${[`${room}/`, ...below].join(', ')}`,
  from: { path: `^engine/${room}/` },
  to: { path: '^engine/', pathNot: [`${room}/`, ...below].map((path) => `^engine/${path}`) },
}));

/** Rooms of the embedded user agent, lowest first: each imports itself and those before it; endpoint.ts stands on top. */
const agent = 'engine/sip/embedded';
const AGENT_ROOMS = ['wire', 'network', 'transaction', 'call', 'registrar', 'trunk'];
const agentFloors = AGENT_ROOMS.map((name, index) => {
  const below = AGENT_ROOMS.slice(0, index + 1);
  return {
    name: `sip-${name}-imports`,
    severity: 'error',
    comment: `${agent}/${name}/ may import of the user agent only: ${below.join(', ')}`,
    from: { path: `^${agent}/${name}/` },
    to: { path: `^${agent}/(?!(${below.join('|')})/)` },
  };
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
    only('api', ['db'], ['models/llm/', 'models/install/catalogue']),
    ...floors,
    ...agentFloors,
    {
      name: 'sip-from-outside',
      severity: 'error',
      comment:
        'the port is engine/sip/telephony.ts: the adapters behind it are known to engine/sip/adapters/create.ts alone',
      from: { pathNot: '^(engine/sip|test)/' },
      to: { path: '^engine/sip/(embedded|freeswitch)/' },
    },
    {
      name: 'sip-adapters-imports',
      severity: 'error',
      comment: 'engine/sip/adapters/create.ts makes an adapter by its endpoint',
      from: { path: '^engine/sip/adapters/create\\.ts$' },
      to: { path: '^engine/sip/(embedded|freeswitch)/(?!endpoint\\.ts$)' },
    },
    {
      name: 'sip-freeswitch-imports',
      severity: 'error',
      comment: `engine/sip/adapters/drachtio/ takes what both adapters share from the rooms of ${agent}/, never its endpoint`,
      from: { path: '^engine/sip/adapters/drachtio/' },
      to: { path: `^${agent}/[^/]+$` },
    },
    {
      name: 'no-test-in-product',
      severity: 'error',
      from: { path: '^(media|models|db|engine|api)/' },
      to: { path: '^(test|bench)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The parser knows no JSX; test/dashboard/imports.test.ts holds this room to its own files.
    exclude: { path: '^(api/dashboard/app|test/dashboard)/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.json'] },
  },
};
