// Each fact of db/domain/, and some of other rooms, has one home: this finds a second one by the literals and names
// that it would need.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = globSync('{api,db,engine,media,models}/**/*.{ts,tsx}', { cwd: root })
  // Packages for other programs, which have nothing else of this repository.
  .filter((name) => !name.startsWith('api/clients/'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

interface Fact {
  what: string;
  /** Its one home: a file of db/domain/, or a path. */
  home: string;
  /** A pattern that only the home contains. */
  sign: RegExp;
  /** The files among which a second home is looked for; absent: all. */
  within?: RegExp;
  /** Files that contain the pattern for another reason. */
  except?: readonly string[];
}

/** Matches the declaration of a function or constant with one of these names. */
const declared = (...names: string[]): RegExp => new RegExp(`(?:function|const|let) (?:${names.join('|')})\\b`);

const FACTS: readonly Fact[] = [
  { what: 'the days of the week', home: 'db/domain/hours/weekdays.ts', sign: /'tuesday',\s*'wednesday'/ },
  {
    what: 'the hours in which a campaign calls',
    home: 'campaign-defaults',
    sign: /start: '09:00'/,
  },
  { what: 'the limits of a campaign', home: 'campaign-defaults', sign: /maxAttempts: 3|retryDelayMinutes: 60/ },
  {
    what: 'limits that a schema cannot express',
    home: 'field-limits',
    sign: declared('CONTEXT_(?:BYTES_MAX|TOKENS_ADVISED)', 'CHARACTERS_PER_TOKEN', '(?:PORT_)?DOCUMENT_BYTES_MAX'),
  },
  {
    what: 'the parts of a response gap',
    home: 'db/domain/calls/timeline.ts',
    sign: /'clause', (?:\w+\.)?firstClauseAtMs/,
  },
  { what: 'the states of a port order', home: 'port-order', sign: /IN_REVIEW: \[|'SUBMITTED',\s*'IN_REVIEW',\s*'FOC/ },
  {
    what: 'how long a token of a socket is valid',
    home: 'db/domain/calls/control.ts',
    sign: declared('(?:SOCKET_)?TOKEN_VALID_MS'),
  },
  { what: 'the voice codecs', home: 'trunk-defaults', sign: /'PCMA',\s*'G722'|\['PCMU', 'PCMA'\]/ },
  { what: 'the limits of a trunk', home: 'trunk-defaults', sign: /maxConcurrentCalls: 100\b|callsPerSecond: 10\b/ },
  {
    what: 'when a trunk is down',
    home: 'trunk-state',
    sign: /registration(?:State|\??\.state)? [!=]== 'failed'|[hH]ealth(?:State|\??\.state)? [!=]== 'down'/,
  },
  {
    what: 'minutes of a day and clock times',
    home: 'db/domain/hours/clock-time.ts',
    sign: declared('minuteOfDay', 'minuteOf', 'DAY_MINUTES', 'readClock'),
  },
  {
    what: 'opening hours: past midnight, overlaps, equal days joined',
    home: 'db/domain/hours/opening-hours.ts',
    sign: declared('doOverlap', 'isOvernight', 'spansOn', 'joinedDays', 'WEEK_MINUTES'),
  },
  {
    what: 'the message of what was thrown',
    home: 'unexpected',
    sign: /(?<!\w)(\w+) instanceof Error \? \1\.message : String\(\1\)/,
  },
  { what: 'the end of an exhaustive switch', home: 'unexpected', sign: /\(\w+: never\): never/ },
  {
    what: 'how an unanswered call ended',
    home: 'db/domain/calls/outcome.ts',
    sign: /outcome(?: =|:) '(?:failed|cancelled|expired|not_joined)'/,
    // The outcome of a transfer.
    except: ['engine/call/persons/hunt-machine.ts'],
  },
  { what: 'what a refusal means', home: 'refusal', sign: declared('BY_SIP_STATUS', 'BY_Q850_CAUSE') },
  {
    what: 'when a process is silent, for those who share its database',
    home: 'heartbeat',
    sign: declared('(?:SILENT_AFTER|(?:\\w+_)?DEAD_AFTER|(?:\\w+_)?ALIVE)_MS'),
    within: /^(?:api|db)\//,
    // Of a connection.
    except: ['api/server.ts'],
  },
  {
    what: 'how long an engine may be silent',
    home: 'engine/silence.ts',
    sign: declared('\\w*(?:SILEN|FAINT|BEAT|BURIED|DEAD|FENCE|SOUND|CUT_OFF|GAP)\\w*_MS'),
    within: /^engine\/(?:(?:assembly|cluster|succession|sync)\/)?[^/]+$/,
  },
  {
    what: 'the length of a day, an hour and a minute',
    home: 'db/domain/hours/durations.ts',
    sign: /const (?:DAY|HOUR|MINUTE)_MS\b|const (?:HOUR|MINUTE) =|\b86_400_000\b|\b24 \* (?:3_600_000|60 \* 60)\b/,
  },
  {
    what: 'a day of UTC',
    home: 'db/domain/hours/utc-days.ts',
    sign: /new Date\([^)]*\)\.toISOString\(\)\.slice\(0, 10\)/,
  },
  {
    what: 'an address without the slashes at its end',
    home: 'db/shared/net/base-url.ts',
    sign: /\.replace\(\/(?:\(\?<!\\\/\))?\\\/\+?\$\//,
  },
  { what: 'what is reserved for a running call', home: 'spend', sign: declared('RESERVED_SECONDS') },
  { what: 'the limit of peaks', home: 'models/tts/audio/loudness.ts', sign: declared('PEAK_LIMIT') },
  { what: 'the length of a WAV header', home: 'media/wav.ts', sign: declared('WAV_HEADER_BYTES') },
  { what: "OpenAI's shortest commit", home: 'models/vendors/vendors.ts', sign: declared('(?:OPENAI_)?MIN_COMMIT_MS') },
  { what: 'the rounding of audio', home: 'models/speech-to-speech/rates.ts', sign: declared('WHOLE_WITHIN_MS') },
  {
    what: 'from how many entries a list is searched',
    home: 'api/dashboard/app/ui/searched.ts',
    sign: declared('SEARCHED_FROM'),
  },
  { what: 'the pace of a trunk', home: 'pace', sign: /1000\)? \/ [\w.]*callsPerSecond/ },
  {
    what: 'a valid number',
    home: 'db/domain/numbers/phone.ts',
    sign: /\.isValid\(\)/,
    // A number on the wire is read in its trunk's format.
    except: ['engine/sip/dialog/parties.ts'],
  },
  {
    what: 'an IPv6 address in a URI',
    home: 'db/shared/net/url-host.ts',
    sign: /includes\(':'\) \? `\[\$\{/,
    within: /^(?:db|engine|media|models)\//,
  },
  { what: "the end of an engine's call as a row", home: 'engine/call/end.ts', sign: /\b(?:run|enqueue)\w*\('endCall'/ },
];

for (const { what, home, sign, within = /^/, except = [] } of FACTS) {
  const path = home.includes('/') ? home : `db/domain/${home}.ts`;
  test(`${what}: only in ${path}`, () => {
    const homes = sources.filter(({ name, text }) => within.test(name) && sign.test(text)).map(({ name }) => name);
    assert.ok(homes.includes(path), 'the sign is no longer that of its home');
    assert.deepEqual(
      homes.filter((name) => name !== path && !except.includes(name)),
      [],
    );
  });
}

test('every rule says what it decides', () => {
  for (const { name, text } of sources)
    if (name.startsWith('db/domain/')) assert.match(text, /^\/\/ [A-Z]/, `${name} has no header`);
});

test('a call dials its own other party, and persons beside it in one place', () => {
  const dialling = sources.filter(({ name, text }) => name.startsWith('engine/') && /telephony\.dial\(/.test(text));
  assert.deepEqual(dialling.map(({ name }) => name).sort(), [
    'engine/call/effects.ts',
    'engine/call/persons/person-call.ts',
  ]);
  const named = sources.filter(({ name, text }) => name.startsWith('engine/') && /(?:leg: |= )'human'/.test(text));
  assert.deepEqual(
    named.map(({ name }) => name),
    ['engine/call/going-on/transfer-continuation.ts'],
    'the leg of a person has its name once',
  );
});

test('the engine asks the database by functions of db/, and writes no statement itself', () => {
  const statements = sources.filter(
    ({ name, text }) =>
      /^(?:engine|media|models)\//.test(name) &&
      /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/.test(text),
  );
  assert.deepEqual(
    statements.map(({ name }) => name),
    [],
  );
});
