// Audible previews of voices. The engine renders one at the first request; afterwards the file is served.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { insertEngineRequest } from '../../db/queries/engine/engine-requests.ts';
import type { ApiContext } from '../context.ts';
import { engineDown, notFound, retryLater } from '../frame/errors.ts';
import { awaitRequest } from '../peers/await-request.ts';
import { askEngine } from '../peers/engine-control.ts';
import { readEngines } from '../peers/engines.ts';
import { PlacesPerAccount } from '../threads/places-per-account.ts';
import { offeredVoice } from './voices.ts';

/** A sentence takes a tenth of a second; a busy engine gets more. */
const RENDER_WAIT_MS = 5_000;
const POLL_MS = 25;
const RETRY_SECONDS = 5;

/** Voices being rendered: later requests for the same voice wait for the first. */
const rendering = new Map<string, Promise<Buffer>>();

/** The engine renders one after the other, and a request waits for so many seconds only. */
const places = new PlacesPerAccount({
  what: 'samples of voices',
  total: 16,
  perAccount: 4,
  full: () => retryLater('VOICE_UNAVAILABLE', 'Too many samples of voices are being rendered', RETRY_SECONDS),
});

/** WAV of a sample sentence. @throws {ApiError} 404; 503 while the engine is down or cannot render it */
export async function voicePreview(context: ApiContext, accountId: string, voiceId: string): Promise<Buffer> {
  if ((await offeredVoice(context, voiceId)) === undefined) throw notFound('Voice');
  const directory = join(context.config.dataDir, 'previews');
  // Ids of vendors' voices may contain characters that a file name must not.
  const path = join(directory, `${encodeURIComponent(voiceId)}.wav`);
  const cached = await readIfThere(path);
  if (cached !== null) return cached;
  const known = rendering.get(path);
  if (known !== undefined) return known;
  const render = places
    .hold(accountId, () => renderPreview(context, accountId, voiceId, directory, path))
    .finally(() => rendering.delete(path));
  rendering.set(path, render);
  return render;
}

async function renderPreview(
  context: ApiContext,
  accountId: string,
  voiceId: string,
  directory: string,
  path: string,
): Promise<Buffer> {
  const nowMs = context.now();
  const { up, reason } = await readEngines(context, context.read);
  if (reason !== null) throw engineDown(reason);
  const [engine] = up;
  if (engine !== undefined && engine.controlUrl !== null) return askForSample(context, engine.controlUrl, voiceId);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const requestId = await insertEngineRequest(context.db, accountId, {
    kind: 'voice-preview',
    callId: null,
    payload: { voiceId, path },
    nowMs,
    expiresAt: nowMs + RENDER_WAIT_MS,
  });
  const wait = { withinMs: RENDER_WAIT_MS, everyMs: POLL_MS };
  const isDone = (await awaitRequest(context.read, { accountId, id: requestId }, wait)) !== null;
  const wav = isDone ? await readIfThere(path) : null;
  if (wav !== null) return wav;
  throw retryLater('VOICE_UNAVAILABLE', 'The engine cannot render the voice at the moment', RETRY_SECONDS);
}

/** From an engine that may run on another machine. */
async function askForSample(context: ApiContext, controlUrl: string, voiceId: string): Promise<Buffer> {
  const wav = await askEngine(context, controlUrl, {
    method: 'GET',
    path: `/voices/${encodeURIComponent(voiceId)}/sample`,
  });
  if (wav === null)
    throw retryLater('VOICE_UNAVAILABLE', 'The engine cannot render the voice at the moment', RETRY_SECONDS);
  return wav;
}

/** A finished WAV, or null: the header is written last. */
async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    const wav = await readFile(path);
    return wav.length > 44 && wav.toString('latin1', 0, 4) === 'RIFF' ? wav : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
