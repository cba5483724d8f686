// Real models and people, once a week (`.ci/weekly`): some fifty minutes on two cores that do nothing else.
//   node supervise.mjs run test/nightly/real-models.ts [--weights FOLDER] [--speech FOLDER] [--only WORD]
// Installs the pinned weights in FOLDER (default data/weights; bench/weights/install.py), and runs the engines of
// docs/local-engines.md with them, the voices before a listener, and people's dialogues on Whisper where there are
// recordings. Prints one table, keeps it beside the record, and ends with 1 where a figure is over its limit.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { table } from '../../bench/rig/measure/statistics.ts';
import { readOptions } from '../../bench/rig/options.ts';
import { LocalServer } from '../../bench/rig/service/local-server.ts';

const USAGE =
  'usage: node supervise.mjs run test/nightly/real-models.ts [--weights FOLDER] [--speech FOLDER] [--only WORD]';
const DEFAULTS = { weights: 'data/weights', speech: '../shared/speech', only: '' };
const KEPT = 'bench/results/real-models.md';

/** The figure of a row is a share or a time: the lower, the better. */
interface Row {
  name: string;
  /** Null: the run failed. */
  figure: number | null;
  limit: number;
  unit: string;
}

interface Run {
  name: string;
  /** Why it cannot run here; null: it can. */
  missing?: () => string | null;
  rows(): Promise<Row[]>;
}

const options = readOptions(USAGE, DEFAULTS, process.argv.slice(2));
const weights = resolve(options.weights);
const python = (file: string): string => `${join(weights, 'venv/bin/python')} ${resolve('bench/weights', file)}`;

/** A part of the bench, or a file of the project, to its end. */
function run(words: readonly string[], environment: Record<string, string> = {}): boolean {
  const env = { ...process.env, DATA_DIR: weights, ...environment };
  return spawnSync(process.execPath, ['supervise.mjs', 'run', ...words], { stdio: 'inherit', env }).status === 0;
}

/** Words of the 300 sentences that Whisper mishears, %, and the first sound of a greeting that is as it was, ms. */
function voice(name: string, limit: number, firstSoundMs: number): Run {
  const rows = async (): Promise<Row[]> => {
    const out = mkdtempSync(join(tmpdir(), 'real-models-'));
    try {
      const set = ['--set', join(weights, 'sentences/dialtone_v1.jsonl'), '--out', out];
      const judge = ['--judge', `${python('judge.py')} ${weights}`];
      const ran = run(['bench/main.ts', 'voice', '--voices', name, '--calls', '5', ...set, ...judge]);
      const kept = (file: string) =>
        ran ? JSON.parse(readFileSync(join(out, `${name} in calls`.replace(/\W+/g, '-'), file), 'utf8')) : null;
      const firstSound: number | null = kept('first-sound.json')?.unchanged.p50 ?? null;
      return [
        { name: `${name}: words misheard over SIP`, figure: kept('judged.json')?.all ?? null, limit, unit: '%' },
        { name: `${name}: first sound, p50 of ten calls`, figure: firstSound, limit: firstSoundMs, unit: 'ms' },
      ];
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  };
  return { name: `voice ${name}`, rows };
}

const RUNS: readonly Run[] = [
  {
    name: 'local-engines',
    rows: async () => {
      // Its weights come from no package: put there by hand, they are measured.
      const spare = existsSync(join(weights, 'models/kokoro-int8')) ? [] : ['--spare', 'kokoro'];
      const given = ['--weights', weights, '--server', python('serve.py'), ...spare];
      const isFine = run(['test/nightly/local-engines.ts', ...given]);
      return [{ name: 'engines that are not in time, or not run', figure: isFine ? 0 : 1, limit: 0, unit: '' }];
    },
  },
  {
    name: 'all real at once',
    rows: async () => {
      const given = ['--weights', weights, '--server', python('serve.py'), '--calls', '1', '--turns', '12'];
      const ran = run(['bench/main.ts', 'local-engines', '--engines', 'all real', '--bound', '2000', ...given]);
      const results = ran ? JSON.parse(readFileSync('bench/results/local-engines.json', 'utf8')) : null;
      const [round]: Array<{ p50: number; p95: number }> = results?.engines['all real at once']?.rounds ?? [];
      return [
        { name: 'all real at once, one call: gap p50', figure: round?.p50 ?? null, limit: 1_100, unit: 'ms' },
        { name: 'all real at once, one call: gap p95', figure: round?.p95 ?? null, limit: 2_000, unit: 'ms' },
      ];
    },
  },
  voice('flite', 11, 150),
  voice('sherpa:piper-joe', 10.5, 250),
  {
    name: 'knowledge with MiniLM',
    rows: async () => {
      const server = await LocalServer.start(python('serve.py'), { MINILM: join(weights, 'minilm') });
      try {
        const vectors = { EMBEDDINGS_BASE_URL: server.base, EMBEDDINGS_MODEL: 'local', EMBEDDINGS_DIMENSIONS: '384' };
        const ran = run(['bench/main.ts', 'knowledge'], vectors);
        const results = ran ? JSON.parse(readFileSync('bench/results/knowledge.json', 'utf8')) : null;
        const found: number | null = results?.withVectors?.all.at3 ?? null;
        const figure = found === null ? null : 100 * (1 - found);
        return [{ name: 'knowledge: answer not among the first three', figure, limit: 9, unit: '%' }];
      } finally {
        server.stop();
      }
    },
  },
  {
    name: 'callers on Whisper',
    missing: () =>
      existsSync(join(options.speech, 'manifest.jsonl')) ? null : `no recordings of people in ${options.speech}`,
    rows: async () => {
      const server = await LocalServer.start(python('serve.py'), { MODELS: weights });
      try {
        const words = ['--words', 'openai', '--calls', '1', '--sets', 'dialogue', '--speech', options.speech];
        const ran = run(['bench/main.ts', 'callers', ...words], { STT_BASE_URL: server.base, STT_API_KEY: 'bench' });
        return turnEnds(ran);
      } finally {
        server.stop();
      }
    },
  },
];

interface HeardTurn {
  wasCut: boolean;
  gapMs: number | null;
}

function turnEnds(ran: boolean): Row[] {
  const results = ran ? JSON.parse(readFileSync('bench/results/callers.json', 'utf8')) : null;
  const turns: HeardTurn[] = results?.turns.dialogue ?? [];
  const gaps = turns.flatMap(({ gapMs }) => gapMs ?? []);
  const cut = turns.length > 0 ? (100 * turns.filter(({ wasCut }) => wasCut).length) / turns.length : null;
  const mean = gaps.length > 0 ? gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length : null;
  return [
    // Of 17 turns one is 6 %.
    { name: 'dialogues on Whisper: turns cut off', figure: cut, limit: 6, unit: '%' },
    { name: 'dialogues on Whisper: mean gap', figure: mean, limit: 650, unit: 'ms' },
  ];
}

const isWorse = ({ figure, limit }: Row): boolean => figure === null || figure > limit;
const isWanted = ({ name }: Run): boolean => name.includes(options.only);

if (spawnSync('python3', [resolve('bench/weights/install.py'), weights], { stdio: 'inherit' }).status !== 0)
  throw new Error('the weights could not be installed');
const lines: string[][] = [];
const worse: Row[] = [];
for (const { name, missing, rows } of RUNS.filter(isWanted)) {
  const lack = missing?.() ?? null;
  if (lack !== null) lines.push([name, `not run: ${lack}`, '', '']);
  else
    for (const row of await rows()) {
      if (isWorse(row)) worse.push(row);
      const figure = row.figure === null ? 'failed' : `${Number(row.figure.toFixed(1))} ${row.unit}`.trim();
      lines.push([row.name, figure, `${row.limit} ${row.unit}`.trim(), loadavg()[0]?.toFixed(1) ?? '']);
    }
}
const version = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const made = `${new Date().toISOString().slice(0, 10)}, ${version}, ${availableParallelism()} cores`;
const printed = table(['figure', 'measured', 'limit', 'load'], lines).join('\n');
process.stdout.write(`${made}\n${printed}\n`);
if (options.only === '') {
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(KEPT, `# Real models\n\nWritten by \`test/nightly/real-models.ts\`. ${made}.\n\n${printed}\n`);
}
process.exitCode = worse.length === 0 ? 0 : 1;
