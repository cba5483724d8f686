// `npm run models`: what is installed, what can be downloaded, and whether what was downloaded is whole.
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { CASCADE } from '../../db/domain/model-settings.ts';
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import { defaultEngine, type EngineEntry, knownVoices, listDownloads, listModels } from './catalogue.ts';
import { DownloadError } from './download.ts';
import { installModel, removeModel, verifyModel } from './install.ts';
import { didYouMean, installedModels, isInstalled, localEngine, localName, modelsDirOf } from './local-models.ts';
import { mirrored } from './mirror.ts';
import { UnpackError } from './unpack.ts';
import { type DownloadableModel, findDownload, SMART_TURN } from './weights.ts';

const USAGE = `usage: npm run models -- COMMAND
  list             engines, voices and downloads, with what is installed and in use
  download NAME [--sha256 SUM | --unchecked]
                   fetches a model into DATA_DIR/models (resumes, checks SHA-256) and unpacks it; where its publisher
                   gives no sum it wants yours, or your word that it may go unchecked
  verify [NAME]    checks the files of what was downloaded against the sums taken when it was unpacked
  remove NAME      deletes a model, and what is left of its download

STT=sherpa:NAME and TTS=sherpa:NAME use a model; if they are not set, the best installed one is used.
TURN_END=smart-turn uses the turn-end model.
DATA_DIR is ./data unless it is set. docs/local-engines.md lists the cost of each model.`;

const modelsDir = modelsDirOf(process.env);

async function main([command, ...args]: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) return help();
  const [name, ...options] = args;
  if (options.length > 0 && command !== 'download') return usage();
  switch (command) {
    case 'list':
      return list();
    case 'download':
      return name === undefined ? usage() : download(name, options);
    case 'verify':
      return verify(name);
    case 'remove':
      return name === undefined ? usage() : remove(name);
    case 'help':
    case '--help':
    case '-h':
      return help();
    default:
      if (command !== undefined) process.stderr.write(`there is no command ${command}\n\n`);
      return usage();
  }
}

function list(): number {
  const { STT, TTS, OPENAI_API_KEY, OPENAI_BASE_URL } = process.env;
  const llm = process.env.LLM || (OPENAI_API_KEY || OPENAI_BASE_URL ? 'openai' : 'receptionist');
  const chosen = {
    vad: 'silero',
    stt: STT?.trim() || defaultEngine('stt', modelsDir),
    tts: TTS?.trim() || defaultEngine('tts', modelsDir),
    llm,
    'speech-to-speech': process.env.DIALOGUE?.trim() || CASCADE,
  };
  const models = listModels(process.env, modelsDir);
  const rows = models.filter(({ state }) => state !== 'downloadable');
  print('Engines');
  table(
    ['', 'name', 'state', 'languages', 'real time', 'at a time', 'memory', 'licence', ''],
    rows.map((entry) => [
      entry.kind,
      entry.name,
      chosen[entry.kind] === entry.name ? `${entry.state}, in use` : entry.state,
      ...costs(entry),
      entry.description,
    ]),
  );
  print('\nVoices');
  table(
    [],
    knownVoices(process.env).map(({ id, name, language, gender, engine, isDefault }) => [
      id,
      name,
      language,
      gender,
      engine,
      isDefault ? 'default' : '',
    ]),
  );
  print('\nDownloads (npm run models -- download NAME)');
  table(
    ['name', '', 'size', 'state', 'languages', 'real time', 'at a time', 'memory', 'licence', ''],
    listDownloads(modelsDir).map(({ name, bytes, installed }) => {
      const entry = models.find((model) => model.download === name);
      const size = `${Math.round(bytes / 1e6)} MB`;
      const state = installed ? 'installed' : '';
      if (entry) return [name, entry.kind, size, state, ...costs(entry), entry.description];
      const { kind, description, ...rest } = SMART_TURN;
      return [name, kind, size, state, ...costs({ ...rest, realTimeFactor: 0, concurrency: null }), description];
    }),
  );
  print('\nReal time: seconds of one core per second of audio. Those of downloads are estimates.');
  return 0;
}

function costs({
  realTimeFactor,
  languages,
  concurrency,
  memoryMb,
  licence,
}: Pick<EngineEntry, 'realTimeFactor' | 'languages' | 'concurrency' | 'memoryMb' | 'licence'>): string[] {
  return [
    languages?.join(' ') ?? 'many',
    realTimeFactor > 0 ? `${realTimeFactor} ×` : '',
    concurrency === null ? '' : String(concurrency),
    memoryMb > 0 ? `${memoryMb} MB` : '',
    licence,
  ];
}

function download(given: string, options: string[]): Promise<number> | number {
  try {
    const { values } = parseArgs({
      args: options,
      options: { sha256: { type: 'string' }, unchecked: { type: 'boolean', default: false } },
    });
    const { sha256, unchecked } = values;
    if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256))
      throw new Error('--sha256 takes 64 hexadecimal digits');
    if (sha256 !== undefined && unchecked) throw new Error('--sha256 and --unchecked exclude each other');
    return fetchModel(given, sha256?.toLowerCase(), unchecked);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return 2;
  }
}

async function fetchModel(given: string, sha256: string | undefined, unchecked: boolean): Promise<number> {
  const model = named(given);
  if (!model) return 2;
  const { name } = model;
  if (listDownloads(modelsDir).some((entry) => entry.name === name && entry.installed)) {
    print(`${name} is installed already`);
    return 0;
  }
  const bar = new SingleBar({
    format: `${name} [{bar}] {percentage}% {value}/{total} MB, {eta_formatted}`,
    etaBuffer: 200,
  });
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort());
  const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10;
  bar.start(megabytes(model.bytes), 0);
  try {
    const wanted = mirrored(model, process.env);
    const manifest = await installModel(sha256 === undefined ? wanted : { ...wanted, sha256 }, modelsDir, {
      signal: cancel.signal,
      unchecked,
      onProgress: (bytes, totalBytes) => {
        if (totalBytes !== null) bar.setTotal(megabytes(totalBytes));
        bar.update(megabytes(bytes));
      },
      onStep: (step) => {
        if (step !== 'unpack') return;
        bar.stop();
        if (model.kind !== 'turn-end')
          print('unpacking: half a minute for a voice, some minutes for the largest models');
      },
    });
    if (manifest?.checkedAgainst === null)
      print(`not checked: ${manifest.sha256} was recorded, and "verify" compares the files from now on`);
    print(`${name} is installed: set ${settingFor(model)} and restart the service`);
    return 0;
  } catch (error) {
    bar.stop();
    if (!(error instanceof DownloadError) && !(error instanceof UnpackError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function settingFor({ kind, name }: DownloadableModel): string {
  switch (kind) {
    case 'stt':
      return `STT=${localEngine(name)}`;
    case 'tts':
      return `TTS=${localEngine(name)}`;
    case 'turn-end':
      return `TURN_END=${name}`;
    default:
      return unreachable(kind);
  }
}

async function verify(given: string | undefined): Promise<number> {
  const installed = [...installedModels(modelsDir, 'stt'), ...installedModels(modelsDir, 'tts')];
  if (isInstalled(modelsDir, SMART_TURN.name)) installed.push(SMART_TURN.name);
  const name = given === undefined ? undefined : bare(given);
  if (name !== undefined && !installed.includes(name)) {
    process.stderr.write(`${name} is not installed\n`);
    return 2;
  }
  if (installed.length === 0) print('nothing was downloaded: nothing to verify');
  let broken = 0;
  for (const model of name === undefined ? installed : [name]) {
    const verdict = await verifyModel(modelsDir, model);
    if (verdict.broken.length > 0) broken++;
    const word = verdict.broken.length > 0 ? 'CORRUPT ' : verdict.hasManifest ? 'ok      ' : 'unknown ';
    print(`${word} ${model}${verdict.hasManifest ? '' : ' (not downloaded by this program)'}`);
    for (const path of verdict.broken) print(`           ${path}`);
    if (verdict.broken.length > 0 && findDownload(model))
      print(`         mend it: npm run models -- remove ${model}, then download ${model}`);
  }
  return broken > 0 ? 1 : 0;
}

async function remove(given: string): Promise<number> {
  const model = named(given);
  if (!model) return 2;
  print((await removeModel(modelsDir, model.name)) ? `${model.name} is removed` : `${model.name} was not installed`);
  return 0;
}

/** The model in the catalogue; prints similar names when there is none. */
function named(given: string): DownloadableModel | undefined {
  const name = bare(given);
  const model = findDownload(name);
  if (!model)
    process.stderr.write(
      `there is no download named ${name}${didYouMean(name) || ': npm run models -- list has them'}\n`,
    );
  return model;
}

/** The name without the prefix `sherpa:`. */
function bare(given: string): string {
  return localName(given) ?? given;
}

function table(head: readonly string[], rows: readonly string[][]): void {
  const widths: number[] = [];
  const lines = head.length > 0 ? [head, ...rows] : rows;
  for (const row of lines)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  for (const row of lines)
    print(
      `  ${row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd()}`,
    );
}

function help(): number {
  print(USAGE);
  return 0;
}

function usage(): number {
  process.stderr.write(`${USAGE}\n`);
  return 2;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

// `npm run models -- list | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
process.exitCode = await main(process.argv.slice(2));
