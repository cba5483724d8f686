// The sockets of a server of speech: Deepgram's, and OpenAI's realtime transcription.
import type { WebSocket } from 'ws';
import type { Fault, ServerEar, SpeechServerOptions } from './speech-server-options.ts';

const WORD_MS = 200;
const SOUND_RMS = 150;

/** Of the server, what its sockets need as it is now. */
export interface ServedSpeech {
  readonly options: SpeechServerOptions;
  readonly text: string;
  readonly language: string | undefined;
  readonly audioSeen: Array<{ atMs: number; bytes: number; isSound: boolean }>;
}

/** Deepgram: interim results as audio arrives, a final one for `Finalize`. */
export function serveDeepgram(served: ServedSpeech, socket: WebSocket, url: URL, fault: Fault | null): void {
  const { delayMs, ear: newEar } = served.options;
  const rateHz = Number(url.searchParams.get('sample_rate') ?? 8_000);
  const isMulti = url.searchParams.get('language') === 'multi';
  const newSpan = (): { from: number; to: number; words: string[]; ear: ServerEar | undefined } => {
    const ear = newEar?.();
    return { from: total, to: total, words: ear ? [] : served.text.split(' '), ear };
  };
  let total = 0;
  let span = newSpan();
  let sentWords = 0;
  /** As the span is now. */
  const results = (isFinal: boolean, count: number, extra: Record<string, unknown> = {}): void => {
    const shown = span.words.slice(0, count);
    const start = span.from / rateHz;
    const duration = (span.to - span.from) / rateHz;
    const step = duration / Math.max(1, shown.length);
    const message = JSON.stringify({
      type: 'Results',
      channel_index: [0, 1],
      start,
      duration,
      is_final: isFinal,
      speech_final: false,
      from_finalize: false,
      channel: {
        alternatives: [
          {
            transcript: shown.join(' '),
            confidence: 0.98,
            words: shown.map((word, index) => ({
              word,
              ...(isMulti && served.language !== undefined ? { language: served.language } : {}),
              punctuated_word: word,
              start: start + index * step,
              end: start + (index + 1) * step,
              confidence: 0.98,
            })),
          },
        ],
      },
      ...extra,
    });
    if (delayMs) setTimeout(() => socket.send(message), delayMs);
    else socket.send(message);
  };
  socket.on('message', (data, isBinary) => {
    if (isBinary) {
      const bytes = (data as Buffer).length;
      if (bytes === 0) {
        socket.close(1000);
        return;
      }
      served.audioSeen.push({ atMs: performance.now(), bytes, isSound: isSound(data as Buffer) });
      total += bytes / 2;
      if (fault === 'hang-in-stream') return;
      span.to = total;
      if (span.ear) {
        span.ear.hear(samplesOf(data as Buffer));
        span.words = span.ear.text.split(' ').filter((word) => word !== '');
      }
      const spoken = Math.floor(((total - span.from) / rateHz) * (1_000 / WORD_MS));
      const count = span.ear ? span.words.length : Math.min(span.words.length, spoken);
      if (count > sentWords) {
        sentWords = count;
        results(false, count);
      }
      return;
    }
    const message = JSON.parse(String(data)) as { type: string };
    if (message.type === 'CloseStream') socket.close(1000);
    if (message.type !== 'Finalize' || fault === 'hang-in-stream') return;
    if (fault === 'garbage') {
      socket.send('<html>');
      return;
    }
    results(true, fault === 'empty' ? 0 : span.words.length, { from_finalize: true });
    span = newSpan();
    sentWords = 0;
  });
}

/** OpenAI's realtime transcription: one item for each commit. */
export function serveRealtime(
  served: ServedSpeech,
  socket: WebSocket,
  url: URL,
  fault: Fault | null,
  onSession: (fields: Record<string, unknown>) => void,
): void {
  const { delayMs, wantsModelInUrl } = served.options;
  const send = (message: Record<string, unknown>): void => socket.send(JSON.stringify(message));
  const hasModel = url.searchParams.has('model');
  if (wantsModelInUrl && !hasModel) {
    send({ type: 'error', error: { type: 'invalid_request_error', code: 'model_not_found', param: 'model' } });
    socket.close(1008);
    return;
  }
  if (!wantsModelInUrl && hasModel) {
    send({ type: 'error', error: { type: 'invalid_request_error', code: 'invalid_value', param: 'model' } });
    return;
  }
  send({ type: 'session.created', session: {} });
  let bytes = 0;
  let items = 0;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Record<string, unknown>;
    if (message.type === 'session.update') {
      onSession(message);
      send({ type: 'session.updated', session: message.session });
    } else if (message.type === 'input_audio_buffer.append') {
      const size = Buffer.from(String(message.audio), 'base64').length;
      served.audioSeen.push({ atMs: performance.now(), bytes: size, isSound: true });
      bytes += size;
    } else if (message.type === 'input_audio_buffer.clear') bytes = 0;
    else if (message.type === 'input_audio_buffer.commit' && fault !== 'hang-in-stream') {
      if (bytes === 0) {
        send({ type: 'error', error: { type: 'invalid_request_error', code: 'input_audio_buffer_commit_empty' } });
        return;
      }
      bytes = 0;
      const itemId = `item_${++items}`;
      send({ type: 'input_audio_buffer.committed', item_id: itemId, previous_item_id: null });
      const of = { item_id: itemId, content_index: 0 };
      const kind = 'conversation.item.input_audio_transcription';
      const answer = (): void => {
        if (fault === 'broken') {
          send({ type: `${kind}.failed`, ...of, error: { type: 'server_error', code: 'audio_unintelligible' } });
          return;
        }
        const transcript = fault === 'empty' ? '' : served.text;
        for (const word of transcript.split(/(?<= )/)) send({ type: `${kind}.delta`, ...of, delta: word });
        send({ type: `${kind}.completed`, ...of, transcript, usage: { type: 'tokens', total_tokens: 9 } });
      };
      if (delayMs) setTimeout(answer, delayMs);
      else answer();
    }
  });
}

export function samplesOf(bytes: Buffer): Int16Array {
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** PCM16 above the level at which the bench trims its clips. */
function isSound(bytes: Buffer): boolean {
  let energy = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) energy += bytes.readInt16LE(at) ** 2;
  return Math.sqrt(energy / (bytes.length / 2)) > SOUND_RMS;
}
