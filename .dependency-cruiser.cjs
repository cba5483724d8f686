// The rules of imports between rooms. The same table stands in ARCHITECTURE.md; `npm run check` holds the code against
// it.
const rooms = ['media', 'models', 'db', 'engine', 'api', 'bench', 'test'];
const DOMAIN = 'db/domain/';
const only = (from, allowed, extra = []) => ({
  name: `${from}-imports`,
  severity: 'error',
  comment: `${from}/ may import only: ${[from, ...allowed, DOMAIN, ...extra].join(', ')}`,
  from: { path: `^${from}/` },
  to: {
    path: `^(${rooms.filter((room) => room !== from && !allowed.includes(room)).join('|')})/`,
    pathNot: [DOMAIN, ...extra].map((path) => `^${path}`),
  },
});

/** Within `base` the rooms stand one above the other, lowest first: each imports itself and those before it. */
const stacked = (base, names, also = []) =>
  names.map((name, index) => {
    const below = [...names.slice(0, index + 1).map((room) => `${room}/`), ...also];
    return {
      name: `${base}/${name}-imports`.replaceAll('/', '-'),
      severity: 'error',
      comment: `${base}/${name}/ may import of ${base}/ only: ${below.join(', ')}`,
      from: { path: `^${base}/${name}/` },
      to: { path: `^${base}/`, pathNot: below.map((path) => `^${base}/${path}`) },
    };
  });

/** Inside the engine imports run downwards: the room on the left may import what stands on its right, and itself. */
const FLOORS = [
  ['turn', []],
  ['sip', ['clock.ts', 'config.ts', 'fence.ts']],
  ['shard', ['clock.ts', 'fence.ts', 'turn/', 'sip/telephony.ts']],
  ['load', ['clock.ts']],
  ['journal', ['clock.ts', 'shard/protocol.ts']],
  ['sync', ['clock.ts', 'silence.ts', 'call/context.ts', 'sip/telephony.ts']],
  ['models', ['clock.ts', 'config.ts', 'load/sizing.ts', 'shard/models/model-ports.ts']],
  ['cluster', ['clock.ts', 'silence.ts', 'load/admission.ts']],
  ['campaign', ['clock.ts', 'cluster/places.ts', 'sync/trunks.ts']],
  ['after-call', ['clock.ts']],
  ['dialogue', ['clock.ts', 'turn/', 'shard/protocol.ts']],
  [
    'call',
    [
      'clock.ts',
      'turn/',
      'shard/',
      'sip/telephony.ts',
      'campaign/retry.ts',
      'dialogue/',
      'after-call/',
      'journal/journal.ts',
    ],
  ],
  ['written', ['clock.ts', 'held-claim.ts', 'turn/', 'shard/', 'dialogue/', 'call/']],
  [
    'switchboard',
    [...['clock.ts', 'shard/', 'load/', 'sip/telephony.ts', 'sync/', 'cluster/', 'campaign/', 'dialogue/', 'call/']],
  ],
  [
    'test-runs',
    [
      ...[
        'clock.ts',
        'held-claim.ts',
        'turn/',
        'shard/',
        'sip/telephony.ts',
        'sip/stack/wire/',
        'dialogue/',
        'call/',
        'written/',
      ],
      ...['after-call/deadline.ts', 'load/'],
    ],
  ],
];
const floors = FLOORS.map(([room, below]) => ({
  name: `engine-${room}-imports`,
  severity: 'error',
  comment: `engine/${room}/ may import of the engine only: ${[`${room}/`, ...below].join(', ')}`,
  from: { path: `^engine/${room}/` },
  to: { path: '^engine/', pathNot: [`${room}/`, ...below].map((path) => `^engine/${path}`) },
}));

/**
 * The rooms of the API, lowest floor first: each imports itself and what stands on the floors below it. A new room goes
 * on the lowest floor above all that it asks. The files beside the rooms, such as api/context.ts, are everybody's.
 */
const API_FLOORS = [
  ['frame', 'mail', 'peers'],
  ['audit', 'billing', 'dashboard', 'do-not-call', 'refused-calls', 'spend', 'threads', 'traces'],
  ['auth', 'models', 'tools', 'trunks', 'voices'],
  ['plugins', 'sip-accounts', 'status'],
  ['account', 'carriers', 'documents'],
  ['businesses', 'port-in'],
  ['appointments', 'campaigns', 'first-run', 'phone-numbers'],
  ['contacts', 'inventory'],
  ['costs'],
  ['calls', 'settings'],
  ['conversations', 'live', 'results', 'test-suites'],
  ['versions', 'widget'],
  ['agents', 'delivery'],
  ['metrics', 'notices', 'openapi', 'webhooks'],
  ['alerts', 'calendars', 'mcp'],
  ['upkeep'],
  ['admin-cli'],
];
/** Imports that go upwards all the same. The list only gets shorter. */
const API_UPWARDS = {
  appointments: ['calls/list/filters.ts', 'calls/place/place.ts'],
  audit: ['calls/list/filters.ts', 'openapi/operation-ids.ts'],
  billing: ['phone-numbers/purchase.ts'],
  businesses: [
    ...['notices/rules.ts', 'notices/schema.ts', 'results/schema.ts'],
    ...['versions/keep.ts', 'versions/version-fields.ts'],
  ],
  campaigns: ['results/schema.ts'],
  carriers: ['phone-numbers/schema.ts', 'phone-numbers/service.ts'],
  documents: ['businesses/service.ts', 'businesses/version.ts'],
  tools: ['versions/keep.ts', 'versions/version-fields.ts'],
  versions: ['agents/schema.ts', 'agents/service.ts', 'notices/rules.ts'],
};
const apiFloors = API_FLOORS.flatMap((rooms, floor) =>
  rooms.map((room) => {
    const below = [room, ...API_FLOORS.slice(0, floor).flat()].map((each) => `${each}/`);
    return {
      name: `api-${room}-imports`,
      severity: 'error',
      comment: `api/${room}/ may import of the rooms of api/ only itself and those on the floors below it`,
      from: { path: `^api/${room}/` },
      to: {
        path: '^api/[^/]+/',
        pathNot: [...below, ...(API_UPWARDS[room] ?? [])].map((path) => `^api/${path}`),
      },
    };
  }),
);

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-imports',
      severity: 'error',
      comment: `${DOMAIN} is the ground floor: it imports nothing of ours, and everybody may import it`,
      from: { path: `^${DOMAIN}` },
      to: { path: `^(${rooms.join('|')})/`, pathNot: `^${DOMAIN}` },
    },
    only('media', []),
    only('models', ['media'], ['db/shared/net/', 'db/shared/process/quiet-memory', 'db/shared/process/shared-clock']),
    only('db', []),
    {
      name: 'db-shared',
      severity: 'error',
      comment: 'db/shared/ is what the two processes have in common beside the tables: it knows no tables',
      from: { path: '^db/shared/' },
      to: { path: `^db/(?!shared/|domain/)` },
    },
    {
      name: 'db-reads-no-environment',
      severity: 'error',
      comment: 'the tables and their queries get what they need as arguments',
      from: { path: '^db/(?!shared/)' },
      to: { path: '^db/shared/(settings/environment|metrics)' },
    },
    ...[
      ['sqlite', 'postgres'],
      ['postgres', 'sqlite'],
    ].map(([kind, other]) => ({
      name: `db-${kind}-imports`,
      severity: 'error',
      comment: 'the two kinds of database know nothing of each other: db/database.ts chooses',
      from: { path: `^db/${kind}/` },
      to: { path: `^db/${other}/` },
    })),
    {
      name: 'kinds-of-database-behind-the-port',
      severity: 'error',
      comment: 'the product asks db/database.ts and what a dialect can; commands that carry data over know both kinds',
      from: { path: '^(media|models|engine|api)/', pathNot: '^api/(admin-cli/|openapi/openapi-write\\.ts$)' },
      to: { path: '^db/(sqlite|postgres)/' },
    },
    {
      name: 'object-store-on-demand',
      severity: 'error',
      comment: 'the code of the object store is loaded only where one is configured: db/shared/files/open-files.ts',
      from: { pathNot: '^(db/shared/files/s3-|test/|bench/)' },
      to: { path: '^db/shared/files/s3-', dynamic: false },
    },
    only('engine', ['media', 'models', 'db']),
    only(
      'api',
      ['db'],
      [
        'models/llm/',
        'models/tools/',
        'models/knowledge/',
        'models/install/catalogue',
        'models/install/kit',
        'media/wav',
        'media/hold-music-file',
      ],
    ),
    {
      name: 'client-packages-stand-alone',
      severity: 'error',
      comment: 'what is published imports nothing of the service; the service imports none of it',
      from: { path: '^api/clients/[^/]+/' },
      to: { path: `^(${rooms.join('|')})/`, pathNot: '^api/clients/' },
    },
    {
      name: 'client-packages-are-no-part-of-the-service',
      severity: 'error',
      from: { path: `^(${rooms.filter((room) => room !== 'test').join('|')})/`, pathNot: '^api/clients/' },
      to: { path: '^api/clients/' },
    },
    ...floors,
    ...apiFloors,
    {
      name: 'engine-assembly-from-main',
      severity: 'error',
      comment: 'engine/assembly/ knows every room: only engine/main.ts asks for it; the bench dials as it does',
      from: { pathNot: '^engine/(main\\.ts|assembly/)' },
      to: { path: '^engine/assembly/(?!dialling\\.ts)' },
    },
    {
      name: 'engine-succession-from-assembly',
      severity: 'error',
      comment: 'calls know nothing of what becomes of them after their process: engine/assembly/ and main.ts do',
      from: { path: '^engine/', pathNot: '^engine/(main\\.ts|assembly/|succession/)' },
      to: { path: '^engine/succession/' },
    },
    {
      name: 'engine-call-going-on-imports',
      severity: 'error',
      comment:
        'engine/call/going-on/ knows of engine/call/persons/ only the states of its machines, which it describes',
      from: { path: '^engine/call/going-on/' },
      to: { path: '^engine/call/persons/(?!.*-machine\\.ts$)' },
    },
    {
      name: 'engine-call-persons-imports',
      severity: 'error',
      comment:
        'engine/call/persons/ may import of engine/call/ only: context, record, writes, setup, going-on/; machine and ' +
        'call-audio for their types',
      from: { path: '^engine/call/persons/' },
      to: {
        path: '^engine/call/',
        pathNot: '^engine/call/(persons/|going-on/|(call-audio|context|machine|record|setup|writes)\\.ts$)',
      },
    },
    ...stacked('engine/sip', ['stack', 'dialog', 'registrar', 'trunk'], ['telephony.ts']),
    ...stacked('engine/sip/stack', ['wire', 'network', 'transaction']),
    ...['embedded', 'drachtio'].map((adapter) => ({
      name: `sip-${adapter}-imports`,
      severity: 'error',
      comment: 'no adapter imports another: what both share is in engine/sip/adapters/shared/ and below',
      from: { path: `^engine/sip/adapters/${adapter}/` },
      to: { path: `^engine/sip/adapters/(?!${adapter}/|shared/)` },
    })),
    {
      name: 'sip-shared-imports',
      severity: 'error',
      comment: 'what the adapters share knows none of them',
      from: { path: '^engine/sip/adapters/shared/' },
      to: { path: '^engine/sip/adapters/(?!shared/)' },
    },
    {
      name: 'sip-from-outside',
      severity: 'error',
      comment: 'the port is engine/sip/telephony.ts: only engine/assembly/ asks for an adapter, by adapters/create.ts',
      from: { pathNot: '^(engine/sip|engine/test-runs/caller/phone|test|bench/rig)/' },
      to: { path: '^engine/sip/', pathNot: '^engine/sip/(telephony\\.ts|adapters/create\\.ts)$' },
    },
    {
      name: 'no-async-hooks',
      severity: 'error',
      comment: 'from the first use of an AsyncLocalStorage on every promise of the process takes four times as long',
      from: { path: '^(media|models|db|engine|api)/' },
      to: { path: '^(node:)?async_hooks$' },
    },
    {
      name: 'no-test-in-product',
      severity: 'error',
      from: { path: '^(media|models|db|engine|api)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'rig-imports',
      severity: 'error',
      comment: 'bench/rig/ stands below bench and test: it imports the product only',
      from: { path: '^bench/rig/' },
      to: { path: '^(test|bench)/', pathNot: '^bench/rig/' },
    },
    {
      name: 'bench-imports-no-test',
      severity: 'error',
      from: { path: '^bench/' },
      to: { path: '^test/' },
    },
    {
      name: 'test-imports-the-rig',
      severity: 'error',
      comment: 'tests import the rig, never the bench; test/bench/ and test/service/bench/ test the bench itself',
      from: { path: '^test/(?!bench/|service/bench/)' },
      to: { path: '^bench/', pathNot: '^bench/rig/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The parser knows no JSX; test/dashboard/imports.test.ts holds this room to its own files and to db/domain/.
    exclude: { path: '^(api/dashboard/app|test/dashboard)/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.json'] },
  },
};
