// `npm run bench -- words`: single words of people over SIP and RTP against a default installation. While the agent is
// silent: what the model is told of them. Over its voice: whether it falls silent, and when.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pause } from '../../rig/conversation/scenario.ts';
import { SCRIPT_FOLDER, ScriptFolder } from '../../rig/conversation/script.ts';
import { part, refuseOption } from '../../rig/part.ts';
import { Rest } from '../../rig/service/rest.ts';
import { type Service, startService } from '../../rig/service/service.ts';
import { makeAsides } from '../../words/made-asides.ts';
import { sayInTurn, sayOver, type Told, type Yielded } from '../../words/say-words.ts';
import { type Half, readWords, type SpokenWord } from '../../words/spoken-words.ts';
import { mistaken, toldTable, verdictOf, yieldedTable } from '../../words/table.ts';

const USAGE = `usage: npm run bench -- words [--speech FOLDER] [--half KIND] [--each N] [--of WORD,…] [--sets NAME,…] [--calls N]
  single words by people (docs/callers.md; the set words in FOLDER, default ../shared/speech) to the built-in engines,
  N calls at a time (default 4); of each word N recordings (default 20; with 0 there is no end);
  --half first, second or both (default): of the speakers; --of: these words only;
  --sets silent,asked,over (default): while the agent is silent; after a question for yes or no; over its greeting;
  asides: encouragements by four synthetic voices, hums and coughs that are made, over its greeting`;

const DEFAULTS = {
  speech: '../shared/speech',
  half: 'both',
  each: 20,
  of: null,
  sets: 'silent,asked,over',
  calls: 4,
} as const;

/** The words that are said over the agent's voice. */
const OVER = ['stop', 'no', 'yes', 'right', ''];
const WORDS_A_CALL = 5;
const APART_MS = 500;

/** A greeting that lasts longer than a caller listens to it, without a pause as long as a silence. */
const LONG_GREETING =
  'We are open from nine in the morning until six in the evening on every day of the week but Sunday when we are closed all day long as you may know already from before';

interface Setting {
  greeting: string;
  reply: string;
}

const SETTINGS: Record<string, Setting> = {
  silent: { greeting: 'Thank you for calling. How can I help you?', reply: 'All right.' },
  asked: { greeting: 'Your appointment is on Monday. Is that right?', reply: 'Monday at nine. Is that right?' },
  over: { greeting: LONG_GREETING, reply: 'All right.' },
  asides: { greeting: LONG_GREETING, reply: 'All right.' },
};

const halves: readonly string[] = ['first', 'second', 'both'] satisfies Half[];
const isHalf = (name: string): name is Half => halves.includes(name);

interface Found {
  told: Map<string, Told[]>;
  yielded: Yielded[];
  /** Calls that broke off, with their words. */
  failures: string[];
}

export default part(USAGE, DEFAULTS, async ({ speech, half, each, of, sets, calls }) => {
  if (!isHalf(half)) refuseOption(`--half is ${halves.join(', ')}, not ${half}`);
  const names = sets.split(',');
  for (const name of names) if (!(name in SETTINGS)) refuseOption(`--sets: there is no set ${name}`);
  const only = of?.split(',') ?? null;
  const isWanted = (text: string): boolean => only === null || only.includes(text === '' ? 'silence' : text);
  const words = readWords(speech, half, each === 0 ? Number.POSITIVE_INFINITY : each, isWanted);
  if (words.length === 0) refuseOption(`there are no such words in ${speech}`);
  const found = await measure(words, names, calls);
  const told = [...found.told];
  return {
    notes: found.failures.map((failure) => `a call broke off: ${failure}`),
    title: `Single words of people, the built-in engines, ${half === 'both' ? 'all' : `${half} half of the`} speakers`,
    lines: [
      ...told.flatMap(([name, all]) => [
        `## ${name}`,
        '',
        ...toldTable(all),
        '',
        `Sure and wrong: ${mistaken(all)}`,
        '',
      ]),
      ...(found.yielded.length === 0 ? [] : ['## over', '', ...yieldedTable(found.yielded)]),
    ],
    data: {
      told: Object.fromEntries(
        told.map(([name, all]) => [
          name,
          all.map((each) => ({ file: each.word.file, text: each.text, verdict: verdictOf(each) })),
        ]),
      ),
      yielded: found.yielded.map(({ word, ...rest }) => ({ file: word.file, ...rest })),
    },
  };
});

async function measure(words: readonly SpokenWord[], sets: readonly string[], atATime: number): Promise<Found> {
  const folder = new ScriptFolder(mkdtempSync(join(tmpdir(), 'words-')));
  const dataDir = mkdtempSync(join(tmpdir(), 'words-data-'));
  const found: Found = { told: new Map(), yielded: [], failures: [] };
  const environment = {
    LLM: `module:${fileURLToPath(new URL('../../rig/fakes/scripted-llm.ts', import.meta.url))}`,
    FAKE_LLM_FIRST_TOKEN_MS: '0',
    MAX_CALLS: '100',
    LOG_LEVEL: 'warn',
    [SCRIPT_FOLDER]: folder.path,
  };
  const service = await startService(environment, dataDir);
  try {
    for (const set of sets) await play({ service, folder, set, atATime }, words, found);
  } finally {
    await service.stop();
    for (const path of [folder.path, dataDir]) rmSync(path, { recursive: true, force: true });
  }
  return found;
}

interface Stage {
  service: Service;
  folder: ScriptFolder;
  set: string;
  atATime: number;
}

async function play({ service, folder, set, atATime }: Stage, words: readonly SpokenWord[], found: Found) {
  const { greeting, reply } = SETTINGS[set] ?? { greeting: '', reply: '' };
  await greetWith(service, greeting);
  const isOver = set === 'over' || set === 'asides';
  const said =
    set === 'asides' ? await makeAsides() : isOver ? words.filter(({ text }) => OVER.includes(text)) : mixed(words);
  const size = isOver ? 1 : WORDS_A_CALL;
  const calls = Array.from({ length: Math.ceil(said.length / size) }, (_, n) => said.slice(n * size, (n + 1) * size));
  const told: Told[] = [];
  const total = calls.length;
  let nextCall = 0;
  const playSome = async (lane: number): Promise<void> => {
    await pause(lane * APART_MS);
    for (let call = calls.shift(); call !== undefined; call = calls.shift()) {
      const serial = ++nextCall;
      const number = `+1555${isOver ? 2 : set === 'asked' ? 3 : 4}${String(serial).padStart(6, '0')}`;
      folder.writeCall(number, { replies: [{ say: reply, call: null }], firstTokenMs: 0, refusals: 0, serial: 0 });
      const scene = { sipAddress: service.sipAddress, folder, number };
      const [first] = call;
      try {
        if (isOver && first !== undefined) found.yielded.push(await sayOver(scene, first));
        else await sayInTurn(scene, call, (each) => told.push(each));
      } catch (error) {
        found.failures.push(`${set}: ${error instanceof Error ? error.message : String(error)}`);
      }
      process.stderr.write(`\r${set}: ${total - calls.length} of ${total} calls `);
    }
  };
  await Promise.all(Array.from({ length: atATime }, (_, lane) => playSome(lane)));
  process.stderr.write('\n');
  if (!isOver) found.told.set(set, told);
}

/** In an order in which the words of one call differ. */
function mixed(words: readonly SpokenWord[]): SpokenWord[] {
  const size = Math.ceil(words.length / WORDS_A_CALL);
  const order = words.map((word, index) => ({ word, key: (index % size) * WORDS_A_CALL + Math.floor(index / size) }));
  return order.sort((a, b) => a.key - b.key).map(({ word }) => word);
}

async function greetWith(service: Service, greetingTemplate: string): Promise<void> {
  const rest = await new Rest(service).login();
  for (const { id } of await rest.must('GET', '/businesses'))
    await rest.must('PATCH', `/businesses/${id}`, { greetingTemplate });
}
