// `npm run bench -- local-engines`: the engines of one's own machine with real weights, one after the other: how many
// calls at once are answered within a bound, the gap, memory, and what the engine would take as MAX_CALLS.
import { join } from 'node:path';
import { messageOf } from '../../db/domain/unexpected.ts';
import {
  ALL_REAL,
  ENGINES,
  isThere,
  type LocalEngine,
  MINILM,
  NO_ENGINE,
  weightsOf,
} from '../local-engines/engines.ts';
import { type Round, THRESHOLD_MS, talk } from '../local-engines/talks.ts';
import { type Asked, askForVectors } from '../local-engines/vectors.ts';
import { table } from '../rig/measure/statistics.ts';
import { part, refuseOption } from '../rig/part.ts';
import { LocalServer } from '../rig/service/local-server.ts';

const USAGE = `usage: npm run bench -- local-engines [--weights FOLDER] [--server COMMAND] [--engines WORD,…] [--calls N,…]
                                         [--turns N] [--bound MS]
  FOLDER (default: the variable WEIGHTS): whisper-base/model.bin, smollm2.gguf, minilm/model.safetensors, and models/ as
  in DATA_DIR (piper-joe, kokoro-int8, smart-turn); what is not there is named as not run. COMMAND (default: the variable
  MODEL_SERVER) serves OpenAI's interface on the port that is its last word; the environment names the weights that it
  shall load: MODELS, GGUF or MINILM. Without it such engines are not run. Of the engines those whose name has one of the
  WORDs (default: all); "all real" has every one of them at once.
  N calls at once, rising (default 1,2,4,8), N turns each (default 4), until the p95 of the gaps is over MS (default
  1500). A turn ends after a silence of ${THRESHOLD_MS} ms, with smart-turn by its words and the model. No reply is
  prepared before the end of a turn, so that a gap has all of what an engine takes; but for "all real", which is as
  callers meet it.`;

const { WEIGHTS = '', MODEL_SERVER = '' } = process.env;
const DEFAULTS = { weights: WEIGHTS, server: MODEL_SERVER, engines: '', calls: [1, 2, 4, 8], turns: 4, bound: 1_500 };
/** Later a caller whose model is slow hears "one moment": a gap would no longer be that of an answer. */
const MOST_BOUND_MS = THRESHOLD_MS + 1_500;
/** A question's vector is of use only until the caller has finished. */
const VECTOR_BOUND_MS = 500;
const QUESTIONS_EACH = 10;
const HEAD = ['engine', 'weights, SHA-256', 'calls: gap p50 / p95 ms', 'at once in time', 'engine MB', 'server MB'];

export default part(USAGE, DEFAULTS, async ({ weights: folder, server: command, engines, calls, turns, bound }) => {
  if (folder === '') refuseOption('there is no --weights');
  if (bound > MOST_BOUND_MS) refuseOption(`--bound is at most ${MOST_BOUND_MS}`);
  const words = engines.toLowerCase().split(',');
  const isWanted = ({ name }: { name: string }): boolean => words.some((word) => name.toLowerCase().includes(word));
  const data: Record<string, unknown> = {};
  const rows: string[][] = [];
  const keep = (name: string, row: string[], measured: unknown): void => {
    rows.push([name, ...row]);
    data[name] = measured;
    process.stdout.write(`${rows.at(-1)?.join(' | ')}\n`);
  };
  // All at once is for who asks for it: two cores are too few for more than one call.
  const isAllWanted = engines !== '' && isWanted(ALL_REAL);
  for (const engine of [...[NO_ENGINE, ...ENGINES].filter(isWanted), ...(isAllWanted ? [ALL_REAL] : [])]) {
    const options = { folder, command, calls, turns, boundMs: bound };
    const measured = lackOf(engine, options) ?? (await measure(engine, options).catch(messageOf));
    if (typeof measured === 'string') {
      keep(engine.name, [`not run: ${measured}`, '', '', '', '', ''], { lack: measured });
      continue;
    }
    const sha = await weightsOf(folder, engine);
    const { rounds, carries, judged, megabytes, serverMegabytes } = measured;
    const shown = `${gapsOf(rounds)}${judged && `; pauses ${judged}`}`;
    const row = [sha, shown, inTime(rounds, bound), megabytes.toFixed(0), serverMegabytes, carries];
    keep(engine.name, row, { ...measured, leastCores: engine.leastCores ?? 1 });
  }
  if (isWanted(MINILM) && command !== '' && isThere(folder, MINILM)) {
    const server = await LocalServer.start(command, { MINILM: join(folder, 'minilm') });
    try {
      const options = { atOnce: calls, each: QUESTIONS_EACH, boundMs: VECTOR_BOUND_MS };
      const found = await askForVectors(server.base, options);
      const shown = `${vectorsOf(found.rounds)}; ${found.passagesASecond.toFixed(1)} passages a second`;
      const sha = await weightsOf(folder, MINILM);
      keep(MINILM.name, [sha, shown, vectorsInTime(found.rounds), '', server.megabytes.toFixed(0), ''], found);
    } finally {
      server.stop();
    }
  }
  return {
    title: `Local engines with real weights, gaps of at most ${bound} ms (p95)`,
    lines: table([...HEAD, 'MAX_CALLS that follows (stt, tts)'], rows),
    data: { engines: data },
  };
});

/** Why the engine cannot be run; null when it can. */
function lackOf(engine: LocalEngine, { folder, command }: Options): string | null {
  if (!isThere(folder, engine)) return `the folder has no ${engine.file}`;
  return engine.server.length > 0 && command === '' ? 'there is no --server' : null;
}

interface Options {
  folder: string;
  command: string;
  calls: readonly number[];
  turns: number;
  boundMs: number;
}

async function measure(engine: LocalEngine, { command, ...options }: Options) {
  const weights = engine.server.map(([variable, path]) => [variable, join(options.folder, path)]);
  const server = weights.length === 0 ? null : await LocalServer.start(command, Object.fromEntries(weights));
  try {
    const talked = await talk(engine, { ...options, base: server?.base ?? '' });
    return { ...talked, serverMegabytes: server === null ? '' : server.megabytes.toFixed(0) };
  } finally {
    server?.stop();
  }
}

const gapsOf = (rounds: readonly Round[]): string =>
  rounds
    .map(({ calls, p50, p95, failed, stoodIn }) => {
      const gaps = `${calls}: ${p50.toFixed(0)} / ${p95.toFixed(0)}`;
      const notes = [failed === 0 ? '' : `${failed} failed`, stoodIn === 0 ? '' : `${stoodIn} by the built-in engine`];
      const shown = notes.filter((note) => note !== '').join(', ');
      return shown === '' ? gaps : `${gaps} (${shown})`;
    })
    .join('; ');

const inTime = (rounds: readonly Round[], boundMs: number): string =>
  String(Math.max(0, ...rounds.filter((round) => isInTime(round, boundMs)).map(({ calls }) => calls)));

/** A round in which another engine stood in says nothing of this one. */
const isInTime = ({ p95, failed, stoodIn }: Round, boundMs: number): boolean =>
  failed === 0 && stoodIn === 0 && p95 <= boundMs;

const vectorsOf = (rounds: readonly Asked[]): string =>
  rounds.map(({ atOnce, p50, p95 }) => `${atOnce}: ${p50.toFixed(0)} / ${p95.toFixed(0)}`).join('; ');

const vectorsInTime = (rounds: readonly Asked[]): string =>
  String(Math.max(0, ...rounds.filter(({ p95 }) => p95 <= VECTOR_BOUND_MS).map(({ atOnce }) => atOnce)));
