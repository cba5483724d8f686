// The contenders of one run, each a column of the tables: the service, and the peer with each of its settings.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FRAME_SAMPLES } from '../../engine/test-runs/caller/call.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { wordsOf } from '../conversation/timing.ts';
import {
  Caller,
  type Clip,
  chooseSilenceThreshold,
  INSTANT,
  TYPICAL,
  withService,
} from '../rig/conversation/scenario.ts';
import { SCRIPT_FOLDER, ScriptFolder } from '../rig/conversation/script.ts';
import { writeMark } from '../rig/conversation/watermark.ts';
import { type Usage, usageOfTree } from '../rig/measure/process-usage.ts';
import { Peer } from './peer.ts';
import { SETTING_NAMES, type Setting } from './settings.ts';

export interface Contender {
  name: string;
  call(index: number): Caller;
  /** Usage of all its processes; null if unknown. */
  usage(): Usage | null;
}

export const fakeUrl = (name: string): string => new URL(`../rig/fakes/${name}.ts`, import.meta.url).href;

const GREETING = 'Hair studio, how can I help you?';
const CALLER_VOICE = 'flite-slt';

const MODELS = {
  instant: { service: INSTANT, peer: { FAKE_STT_FINAL_MS: '0' } },
  typical: {
    service: TYPICAL,
    peer: { FAKE_STT_FINAL_MS: '150', FAKE_LLM_FIRST_TOKEN_MS: '250', FAKE_TTS_FIRST_AUDIO_MS: '100' },
  },
};
export type Models = keyof typeof MODELS;

/** A service; a threshold of null is the service's own choice. */
export interface Ours {
  kind: 'ours';
  name: string;
  thresholdMs: number | null;
}

export type Entry = Ours | { kind: 'peer'; setting: Setting };

/** Starts all contenders, with models that answer at once or like typical ones, and ends them after `run`. */
export async function withContenders<T>(
  models: Models,
  entries: readonly Entry[],
  environment: Record<string, string>,
  run: (contenders: readonly Contender[], folder: ScriptFolder) => Promise<T>,
): Promise<T> {
  const folder = new ScriptFolder(mkdtempSync(join(tmpdir(), 'peers-')));
  const startAll = (rest: readonly Entry[], started: readonly Contender[]): Promise<T> => {
    const [entry, ...others] = rest;
    if (entry === undefined) return run(started, folder);
    const goOn = (contender: Contender): Promise<T> => startAll(others, [...started, contender]);
    if (entry.kind === 'ours') return withOurs(entry, { ...MODELS[models].service, ...environment }, goOn);
    const scripted = { [SCRIPT_FOLDER]: folder.path, PEER_LLM: fakeUrl('llm'), PEER_TTS: fakeUrl('tts') };
    return withPeer(entry.setting, { ...scripted, ...MODELS[models].peer, ...environment }, goOn);
  };
  try {
    return await startAll(entries, []);
  } finally {
    rmSync(folder.path, { recursive: true, force: true });
  }
}

function withOurs<T>(
  { name, thresholdMs }: Ours,
  environment: Record<string, string>,
  run: (contender: Contender) => Promise<T>,
): Promise<T> {
  return withService(environment, async (service) => {
    if (thresholdMs !== null) {
      // Setting the current value would not count as a choice.
      await chooseSilenceThreshold(service, thresholdMs + 1);
      await chooseSilenceThreshold(service, thresholdMs);
    }
    return run({
      name,
      call: (index) => new Caller(service.sipAddress, index),
      usage: () => usageOfTree(service.process.pid ?? 0),
    });
  });
}

async function withPeer<T>(
  setting: Setting,
  environment: Record<string, string>,
  run: (contender: Contender) => Promise<T>,
): Promise<T> {
  const peer = await Peer.start(setting, GREETING, environment);
  let calls = 0;
  try {
    return await run({
      name: SETTING_NAMES[setting],
      call: (index) => {
        const number = `${setting}-${calls++}`;
        return new Caller('127.0.0.1:0', index, 'demo', {
          dialog: (rtpPort, onEvent) => peer.dialog(number, rtpPort, onEvent),
        });
      },
      usage: () => usageOfTree(peer.pid),
    });
  } finally {
    await peer.stop();
  }
}

/** Speech with marks for the peer's recogniser; the service's fakes ignore them. */
export async function markedClip(folder: ScriptFolder, text: string, utterance: number): Promise<Clip> {
  const samples = await renderSpeech(text, CALLER_VOICE);
  folder.writeWords(utterance, wordsOf(text, Math.ceil(samples.length / FRAME_SAMPLES)));
  return { samples, mark: (codes, frame) => writeMark(codes, { utterance, frame }) };
}
