// `npm run bench -- callers`: recordings of people over SIP and RTP against the running service. For each set: turns
// cut off, gaps, and what a fixed silence and a model of turn ends alone would have cut on the same recordings.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { converse, type HeardTurn } from '../../callers/converse.ts';
import { type AskedFor, CountedServer, transcribeWhole } from '../../callers/counted-server.ts';
import { judgeByLiveKit } from '../../callers/livekit-alone.ts';
import { namesHeard, namesTable } from '../../callers/names.ts';
import { giveTool, NOTED_TOOL, type NotedTool } from '../../callers/noted-tool.ts';
import { type CallerTurn, FRAME_SAMPLES, readRecordings, turnOf } from '../../callers/recordings.ts';
import { bestAlone, type Judged, judgeAlone } from '../../callers/smart-turn-alone.ts';
import { stopWatchCurve } from '../../callers/stop-watch.ts';
import {
  aloneTable,
  callersTable,
  meanGapS,
  type RecognisedSet,
  recognisedTable,
  stopWatchOf,
} from '../../callers/table.ts';
import { INSTANT, pause } from '../../rig/conversation/scenario.ts';
import { SCRIPT_FOLDER, ScriptFolder } from '../../rig/conversation/script.ts';
import { linePlot } from '../../rig/measure/statistics.ts';
import { part, refuseOption } from '../../rig/part.ts';
import { startService } from '../../rig/service/service.ts';

const USAGE = `usage: npm run bench -- callers [--speech FOLDER] [--sets NAME,…] [--share N] [--calls N] [--words KIND]
                                    [--models FOLDER] [--livekit FOLDER] [--tools] [--names NAME,…]
  recordings of people (docs/callers.md; in FOLDER, default ../shared/speech) as turns of callers, one call a person, N
  calls at a time (default 8): of the set telephone every N-th caller (default 6; 1: all), all of dialogue;
  --words scripted (default): what they said, each word 150 ms after it; openai: by the server at STT_BASE_URL;
  --models FOLDER: with the weights of FOLDER/smart-turn, as TURN_END=smart-turn, and what these do alone
  --livekit FOLDER: what LiveKit's detector does alone, in a Python environment with livekit-agents (docs/callers.md);
  --tools: the model calls a tool that changes something after each reply;
  --names: with --words openai, how often these are heard by one request a turn without and with a prompt`;

const DEFAULTS = {
  speech: '../shared/speech',
  sets: 'telephone,dialogue',
  share: 6,
  calls: 8,
  words: 'scripted',
  models: null,
  livekit: null,
  tools: false,
  names: null,
} as const;

/** As long as a reply is, so that a caller who goes on speaks over it. */
const REPLY = 'All right, I have noted that down, and I will see what we can do for you.';
/** Each call has a number of its own. */
const CALLS_A_SET = 1_000;
const WORD_DELAY_MS = '150';
const APART_MS = 500;
const TURNS_A_CALL = 12;
/** A set of fewer turns is played whole. */
const SMALL_SET = 100;

const fake = (name: string): string =>
  `module:${fileURLToPath(new URL(`../../rig/fakes/${name}.ts`, import.meta.url))}`;

/** The server of the callers' words; null: their words are scripted. */
function speechServer(words: string): CountedServer | null {
  if (words === 'scripted') return null;
  if (words !== 'openai') refuseOption(`--words is scripted or openai, not ${words}`);
  const { STT_BASE_URL = '' } = process.env;
  if (STT_BASE_URL === '') refuseOption('--words openai needs STT_BASE_URL, the address of a server');
  return new CountedServer(STT_BASE_URL);
}

/** The recogniser of the callers' words. */
async function recogniser(server: CountedServer | null): Promise<Record<string, string>> {
  if (server === null) return { STT: fake('scripted-stt'), FAKE_STT_FINAL_MS: WORD_DELAY_MS };
  const { STT_API_KEY = '' } = process.env;
  return { STT: 'openai', STT_BASE_URL: await server.start(), STT_API_KEY };
}

/** The turns of a set, in calls of one person and of bounded length. */
function callsOf(folder: string, set: string, share: number): CallerTurn[][] {
  const all = readRecordings(folder).filter(({ set: of, kind }) => of === set && kind !== 'word' && kind !== 'silence');
  if (all.length === 0) refuseOption(`there are no turns of the set ${set} in ${folder}`);
  const turns = Map.groupBy(
    all.flatMap((recording) => turnOf(folder, recording) ?? []),
    ({ caller }) => caller,
  );
  // Whole callers: each has one first turn.
  const callers = [...turns.values()].filter((_, index) => all.length <= SMALL_SET || index % share === 0);
  return callers.flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / TURNS_A_CALL) }, (_, at) =>
      own.slice(at * TURNS_A_CALL, (at + 1) * TURNS_A_CALL),
    ),
  );
}

export default part(USAGE, DEFAULTS, async (options) => {
  const calls = new Map(options.sets.split(',').map((set) => [set, callsOf(options.speech, set, options.share)]));
  const script = new ScriptFolder(mkdtempSync(join(tmpdir(), 'callers-')));
  const dataDir = mkdtempSync(join(tmpdir(), 'callers-data-'));
  const server = speechServer(options.words);
  const environment: Record<string, string> = {
    ...INSTANT,
    LLM: fake('scripted-llm'),
    FAKE_LLM_FIRST_TOKEN_MS: '0',
    ...(await recogniser(server)),
    MAX_CALLS: '100',
    LOG_LEVEL: 'warn',
    [SCRIPT_FOLDER]: script.path,
    ...(options.tools ? { WEBHOOK_ALLOW_PRIVATE: '1' } : {}),
  };
  if (options.models !== null) {
    cpSync(join(options.models, 'smart-turn'), join(dataDir, 'models', 'smart-turn'), { recursive: true });
    environment.TURN_END = 'smart-turn';
  }
  try {
    const heard = new Map<string, HeardTurn[]>();
    const asked = new Map<string, AskedFor>();
    const service = await startService(environment, dataDir);
    const tool = options.tools ? await giveTool(service) : null;
    try {
      for (const [set, all] of calls) {
        const scene = { sipAddress: service.sipAddress, folder: script, tool, set, from: heard.size * CALLS_A_SET };
        if (server !== null) server.asked = { requests: 0, dropped: 0, seconds: 0 };
        heard.set(set, await sayAll(scene, all, options.calls));
        if (server !== null) asked.set(set, server.asked);
      }
    } finally {
      await tool?.close();
      await service.stop();
    }
    const recognised = server === null ? [] : await recognisedSets(heard, asked);
    const names = server === null ? [] : await namesTables(heard, options.names);
    const alone = await aloneRows(heard, judgesOf(options, dataDir));
    const curves = [...heard].map(([set, turns]) => [
      set,
      stopWatchCurve(turns.map(({ turn }) => turn)).map(({ silenceS, cut }) => ({ x: silenceS * 1_000, y: cut * 100 })),
    ]);
    linePlot('callers', 'Turns cut by a fixed silence, %', 'silence, ms', Object.fromEntries(curves));
    return {
      title: `Turn ends on recordings of people, words: ${options.words}${options.models === null ? '' : ', Smart Turn'}`,
      lines: [
        ...callersTable(heard),
        ...(recognised.length === 0 ? [] : ['', ...recognisedTable(recognised)]),
        ...names,
        ...(alone.length === 0 ? [] : ['', ...aloneTable(alone)]),
      ],
      data: {
        turns: Object.fromEntries([...heard].map(([set, all]) => [set, all.map(plain)])),
        stopWatch: Object.fromEntries([...heard].map(([set, all]) => [set, stopWatchOf(all)])),
        whole: Object.fromEntries(recognised.map(({ set, whole, asked: of }) => [set, { asked: of, texts: whole }])),
      },
    };
  } finally {
    server?.stop();
    for (const folder of [script.path, dataDir]) rmSync(folder, { recursive: true, force: true });
  }
});

/** By name, the models of turn ends that judge the same turns by themselves. */
type Judges = ReadonlyMap<string, (turns: readonly CallerTurn[]) => Promise<Judged[]>>;

function judgesOf({ models, livekit }: { models: string | null; livekit: string | null }, dataDir: string): Judges {
  const judges = new Map<string, (turns: readonly CallerTurn[]) => Promise<Judged[]>>();
  if (models !== null) judges.set('Smart Turn', (turns) => judgeAlone(turns, { DATA_DIR: dataDir }));
  if (livekit !== null) judges.set('LiveKit', (turns) => judgeByLiveKit(turns, livekit));
  return judges;
}

/** Each by itself at the service's mean gap. */
async function aloneRows(heard: ReadonlyMap<string, readonly HeardTurn[]>, judges: Judges) {
  const rows = [];
  for (const [model, judge] of judges)
    for (const [set, all] of heard) {
      const best = bestAlone(await judge(all.map(({ turn }) => turn)), meanGapS(all));
      rows.push({ model, set, turns: all.length, best });
    }
  return rows;
}

/** Sound before the first and after the last word that one request for a whole turn has. */
const LEAD_FRAMES = 12;
const TAIL_FRAMES = 25;

const soundOf = ({ samples, startFrame, endFrame }: CallerTurn): Int16Array =>
  samples.slice(Math.max(0, startFrame - LEAD_FRAMES) * FRAME_SAMPLES, (endFrame + TAIL_FRAMES) * FRAME_SAMPLES);

/** By set, with and without names as the prompt. */
async function namesTables(heard: ReadonlyMap<string, readonly HeardTurn[]>, names: string | null): Promise<string[]> {
  if (names === null) return [];
  const { STT_BASE_URL = '', STT_API_KEY = '' } = process.env;
  const lines: string[] = [];
  for (const [set, all] of heard) {
    const server = { base: STT_BASE_URL, apiKey: STT_API_KEY, soundOf };
    const turns = all.map(({ turn }) => turn);
    lines.push('', ...namesTable(set, await namesHeard(turns, names.split(','), server)));
  }
  return lines;
}

/** The words by one request for each turn, asked for when nobody calls. */
async function recognisedSets(
  heard: ReadonlyMap<string, readonly HeardTurn[]>,
  asked: ReadonlyMap<string, AskedFor>,
): Promise<RecognisedSet[]> {
  const { STT_BASE_URL = '', STT_API_KEY = '' } = process.env;
  const sets: RecognisedSet[] = [];
  for (const [set, all] of heard) {
    const whole: string[] = [];
    for (const { turn } of all) {
      whole.push(await transcribeWhole(STT_BASE_URL, STT_API_KEY, soundOf(turn)));
    }
    sets.push({ set, heard: all, whole, asked: asked.get(set) ?? { requests: 0, dropped: 0, seconds: 0 } });
  }
  return sets;
}

const plain = ({ turn, gapMs, wasCut, isWhole, told, goesOnAfterMs, overMs, cutIn, toolsBeforeEnd }: HeardTurn) => ({
  file: turn.file,
  text: turn.text,
  told,
  gapMs,
  wasCut,
  isWhole,
  goesOnAfterMs,
  overMs,
  toolsBeforeEnd,
  said: cutIn === null ? null : turn.words.filter(({ to }) => to <= cutIn.to).map(({ text }) => text),
});

interface Scene {
  sipAddress: string;
  folder: ScriptFolder;
  tool: NotedTool | null;
  set: string;
  /** The first call's serial number. */
  from: number;
}

/** Plays the calls, some at a time. */
async function sayAll(scene: Scene, calls: readonly CallerTurn[][], atATime: number): Promise<HeardTurn[]> {
  const { sipAddress, folder, tool, set, from } = scene;
  const waiting = calls.map((turns, index) => [from + index, turns] as const);
  const heard: HeardTurn[] = [];
  const most = calls.flat().length;
  const playSome = async (index: number): Promise<void> => {
    await pause(index * APART_MS);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [serial, turns] = next;
      const number = `+1202${5_570_000 + serial}`;
      folder.writeCall(number, {
        replies: [{ say: REPLY, call: tool === null ? null : NOTED_TOOL, after: 'Done.' }],
        firstTokenMs: 0,
        refusals: 0,
        serial,
      });
      await converse(sipAddress, { number, turns, folder, tool }, (turn) => {
        heard.push(turn);
        process.stderr.write(`\r${set}: ${heard.length} of ${most} turns `);
      });
    }
  };
  await Promise.all(Array.from({ length: atATime }, (_, index) => playSome(index)));
  process.stderr.write('\n');
  return heard;
}
