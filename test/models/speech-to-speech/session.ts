// A session with a fake server, and all that comes of it.
import assert from 'node:assert/strict';
import type { VirtualClock } from '../../../bench/rig/clock.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import type { SpeechModelServer } from '../../../bench/rig/fakes/speech-model-server.ts';
import { rms } from '../../../media/frame.ts';
import type {
  SpeechEvent,
  SpeechSession,
  SpeechSetup,
  SpeechToSpeechEngine,
} from '../../../models/speech-to-speech/speech-to-speech.ts';
import { tone } from '../../media/signals.ts';

export const RATE_HZ = 8_000;

export const SETUP: SpeechSetup = {
  instructions: 'You are Sam of the dentist.',
  tools: [{ name: 'book', description: 'Books.', parameters: { type: 'object', properties: {} } }],
  language: 'en-US',
  temperature: null,
  model: null,
  voice: null,
};

export class TriedSession {
  readonly events: SpeechEvent[] = [];
  /** Of each reply and round, ms. */
  readonly soundMs = new Map<string, number>();
  isLoud = false;
  readonly session: SpeechSession;
  #utterance = 0;

  constructor(engine: SpeechToSpeechEngine, sampleRateHz: 8_000 | 16_000 = RATE_HZ) {
    this.session = engine.open({
      callId: 'call_1',
      sampleRateHz,
      setup: SETUP,
      onEvent: (event) => this.events.push(event),
      onAudio: (epoch, round, samples) => {
        const key = `${epoch}/${round}`;
        this.soundMs.set(key, (this.soundMs.get(key) ?? 0) + (samples.length / sampleRateHz) * 1_000);
        this.isLoud ||= rms(samples) > 1_000;
      },
    });
  }

  /** The caller speaks for so long. */
  speak(ms = 600): void {
    const utterance = ++this.#utterance;
    this.session.begin(utterance);
    this.session.audio(utterance, tone(300, RATE_HZ, ms));
    this.session.finish(utterance);
  }

  async event<T extends SpeechEvent['type']>(type: T, epoch?: number): Promise<Extract<SpeechEvent, { type: T }>> {
    return eventually(() => {
      const found = this.events.find(
        (event) => event.type === type && (epoch === undefined || ('epoch' in event && event.epoch === epoch)),
      );
      return found as Extract<SpeechEvent, { type: T }> | undefined;
    });
  }

  said(epoch: number): string {
    return this.events
      .flatMap((event) => (event.type === 'words' && event.epoch === epoch ? [event.text] : []))
      .join('');
  }

  types(epoch: number): string {
    return [
      ...new Set(this.events.flatMap((event) => ('epoch' in event && event.epoch === epoch ? [event.type] : []))),
    ].join(' ');
  }
}

/** The session is lost when the server has said nothing for so long, and not before. */
export async function lostAfter(clock: VirtualClock, tried: TriedSession, stalledMs: number): Promise<void> {
  clock.advance(stalledMs - 1);
  assert.ok(!tried.events.some(({ type }) => type === 'lost'));
  clock.advance(1);
  const lost = await tried.event('lost');
  assert.equal(lost.code, 'LLM_TIMEOUT');
  assert.match(lost.message, new RegExp(` said nothing for ${stalledMs} ms while an answer was due$`));
}

export const environmentOf = (server: SpeechModelServer, key: string | null = null): Record<string, string> => ({
  DIALOGUE_BASE_URL: server.origin,
  ...(key === null ? {} : { DIALOGUE_API_KEY: key }),
});
