// Turns the VAD windows of a call's caller into speech events for the turn machine. A window counts as silence if it is
// the agent's own voice returned by the line, or too faint to be this caller while somebody else has the floor.
import { unreachable } from '../../db/domain/unexpected.ts';
import type { TurnEvent, TurnPhase } from '../turn/machine.ts';
import type { CallAudio } from './call-audio.ts';
import { CallerLevel, type TakenTurn, UNKNOWN_LOUDNESS } from './caller-level.ts';
import type { HeardAudio } from './heard-audio.ts';
import { Insistence, type VoiceWindow } from './insistence.ts';
import { SpeechDetector, type VoiceEvent, WINDOW_MS } from './speech-detector.ts';

/** The VAD's probability under which a window never counts as voice (`models/vad/hysteresis.ts`). */
const VOICE = 0.35;

export interface EarEdge {
  audio: Pick<CallAudio, 'isEcho' | 'positionMs' | 'speechEndMs'> & {
    heard: Pick<HeardAudio, 'finalityAt' | 'vadPositionMs' | 'windowPower' | 'windowSharpness'>;
  };
  /** Also told of each start and end of speech; null on calls without machine detection. */
  detection: { speechStarted(atMs: number): void; speechStopped(atMs: number): void } | null;
  /** On the call's clock. */
  nowMs(): number;
  phase(): TurnPhase;
  step(event: TurnEvent): void;
}

export class CallEar {
  readonly #edge: EarEdge;
  readonly #detector = new SpeechDetector();
  readonly #level = new CallerLevel();
  readonly #insistence = new Insistence();
  #silentSinceMs: number | null = null;
  #voiceEndMs: number | null = null;

  constructor(edge: EarEdge) {
    this.#edge = edge;
  }

  /** When the end of the caller's newest speech arrived, ms on the call's clock; null before the caller has spoken. */
  get silentSinceMs(): number | null {
    return this.#silentSinceMs;
  }

  /** When the caller's newest voice ended, as a position in the call's audio, ms; null while it goes on. */
  get voiceEndMs(): number | null {
    return this.#voiceEndMs;
  }

  /** Takes the VAD's next window. */
  window(probability: number, endSample: number): void {
    const { audio } = this.#edge;
    const isEcho = probability >= VOICE && audio.isEcho(endSample);
    const isVoice = probability >= VOICE && !isEcho;
    const power = isEcho ? 0 : audio.heard.windowPower(endSample);
    const event = this.#detector.window({
      probability: isVoice ? probability : 0,
      endSample,
      loudness: power === null ? UNKNOWN_LOUDNESS : this.#level.window(power, isVoice),
      takesFaint: this.#takesFaint(),
    });
    if (event !== null) this.#report(event, { power: power ?? 0, sharpness: audio.heard.windowSharpness(endSample) });
  }

  /** The words that began at `atMs` on the call's clock only encouraged the agent. */
  encouraged(atMs: number): void {
    this.#insistence.encouraged(atMs);
  }

  /** The machine has committed a turn of the caller. */
  turnTaken(turn: TakenTurn): void {
    this.#level.taken(turn);
  }

  /** The VAD was lost, or the line carries other audio than the caller's (`deaf`): speech in progress ends here. */
  reset(deaf: boolean): void {
    const cut = this.#detector.reset();
    if (cut === null || deaf) return;
    const { audio, nowMs, step } = this.#edge;
    step({ type: 'speech-stopped', nowMs: nowMs(), lastSpeechAtMs: audio.positionMs, voicedMs: cut.voicedMs });
  }

  /** Nobody else has the floor: a faint voice may be a caller who has moved away from the phone. */
  #takesFaint(): boolean {
    const phase = this.#edge.phase();
    return phase === 'listening' || ((phase === 'hearing' || phase === 'pausing') && this.#detector.faint);
  }

  #report(event: VoiceEvent, window: VoiceWindow): void {
    const { audio, detection, step } = this.#edge;
    const nowMs = this.#edge.nowMs();
    const { power } = window;
    switch (event.type) {
      case 'speech-started': {
        const speechAtMs = Math.max(0, audio.heard.vadPositionMs(event.speechAtSample));
        this.#voiceEndMs = null;
        this.#level.begin(speechAtMs);
        this.#level.voiced(power, event.faint);
        this.#insistence.begin(speechAtMs);
        this.#insistence.voiced(window, WINDOW_MS);
        detection?.speechStarted(speechAtMs);
        step({ type: 'speech-started', nowMs, speechAtMs, ...(event.faint ? { faint: true } : {}) });
        return;
      }
      case 'speech-continued': {
        const { distance } = this.#level;
        this.#level.voiced(power, event.faint);
        this.#insistence.voiced(window, WINDOW_MS);
        const { pressMs } = this.#insistence;
        step({
          type: 'speech-continued',
          nowMs,
          voicedMs: event.voicedMs,
          ...(pressMs > 0 ? { pressMs } : {}),
          ...(event.faint ? { faint: true } : {}),
          ...(distance === 'near' ? {} : { distance }),
        });
        return;
      }
      case 'speech-stopped': {
        const lastSpeechAtMs = audio.heard.vadPositionMs(event.lastSpeechSample);
        this.#voiceEndMs = lastSpeechAtMs;
        this.#insistence.end(lastSpeechAtMs);
        detection?.speechStopped(lastSpeechAtMs);
        // The caller fell silent when the last sound arrived, not when the jitter buffer played it.
        const silentSinceMs = audio.speechEndMs(event.lastSpeechSample);
        this.#silentSinceMs = silentSinceMs;
        const finality = audio.heard.finalityAt(lastSpeechAtMs);
        const melody = finality === null ? {} : { finality };
        step({ type: 'speech-stopped', nowMs, lastSpeechAtMs: silentSinceMs, voicedMs: event.voicedMs, ...melody });
        return;
      }
      default:
        unreachable(event);
    }
  }
}
