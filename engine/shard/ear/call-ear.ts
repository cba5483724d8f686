// Turns the VAD windows of a call's caller into speech events for the turn machine. A window counts as silence if it is
// the agent's own voice returned by the line, or too faint to be this caller while somebody else has the floor.
import { unreachable } from '../../../db/domain/unexpected.ts';
import { FRAME_MS } from '../../../media/frame.ts';
import { RELEASE } from '../../../models/vad/hysteresis.ts';
import type { TurnEvent, TurnPhase } from '../../turn/machine.ts';
import type { CallAudio } from '../call-audio.ts';
import { CallerLevel, type Distance, type TakenTurn, UNKNOWN_LOUDNESS } from './caller-level.ts';
import { CallerPitch } from './caller-pitch.ts';
import type { HeardAudio } from './heard-audio.ts';
import { Insistence, type VoiceWindow } from './insistence.ts';
import { SpeechDetector, type VoiceEvent, WINDOW_MS } from './speech-detector.ts';

/** Of every third window the pitch is enough. */
const PITCH_EVERY = 3;
/** A voice softer than the caller by this, and this far from their pitch, is somebody else's. */
const SOFTER_DB = 6;
const OTHER_SEMITONES = 4;
/** A frame that arrived late holds a voice if it is less than this under the caller's level. */
const LATE_VOICE_DB = 12;
/** 120 ms: a short word. */
const LATE_VOICE_FRAMES = 6;
/** 160 ms: the VAD has noticed by then whether the caller goes on. */
const LATE_WAIT_WINDOWS = 5;

interface EarEdge {
  audio: Pick<CallAudio, 'isEcho' | 'positionMs' | 'speechEndMs'> & {
    heard: Pick<
      HeardAudio,
      'finalityAt' | 'framePowers' | 'isHearing' | 'vadPositionMs' | 'windowPitch' | 'windowPower' | 'windowSharpness'
    >;
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
  readonly #pitch = new CallerPitch();
  #windows = 0;
  /** Speech that arrived late; null if none waits. */
  #late: { speechAtMs: number; endMs: number; voicedMs: number; windows: number } | null = null;
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
    const isEcho = probability >= RELEASE && audio.isEcho(endSample);
    const isVoice = probability >= RELEASE && !isEcho;
    const power = isEcho ? 0 : audio.heard.windowPower(endSample);
    const event = this.#detector.window({
      probability: isVoice ? probability : 0,
      endSample,
      loudness: power === null ? UNKNOWN_LOUDNESS : this.#level.window(power, isVoice),
      takesFaint: this.#takesFaint(),
    });
    if (isVoice && ++this.#windows % PITCH_EVERY === 0) this.#pitch.window(audio.heard.windowPitch(endSample));
    this.#settleLate();
    if (event !== null) this.#report(event, { power: power ?? 0, sharpness: audio.heard.windowSharpness(endSample) });
  }

  /** The words that began at `atMs` on the call's clock only encouraged the agent. */
  encouraged(atMs: number): void {
    this.#insistence.encouraged(atMs);
  }

  /** The machine has committed a turn of the caller. */
  turnTaken(turn: TakenTurn): void {
    this.#level.taken(turn);
    this.#pitch.taken(turn);
  }

  /**
   * Packets came again, late, after `missingMs`. The VAD has heard nothing of them: if the caller spoke in them and is
   * silent now, and no utterance is open, nobody else will hear it.
   */
  lineBack(missingMs: number): void {
    const { audio } = this.#edge;
    if (audio.heard.isHearing || this.#detector.speaking) return;
    const leastPower = 10 ** ((this.#level.presumedDbfs - LATE_VOICE_DB) / 10);
    const frames = audio.heard.framePowers(audio.positionMs - missingMs);
    const voiced = frames.filter(({ power }) => power >= leastPower);
    const [first, last] = [voiced[0], voiced.at(-1)];
    if (first === undefined || last === undefined || voiced.length < LATE_VOICE_FRAMES) return;
    const [voicedMs, endMs] = [voiced.length * FRAME_MS, last.atMs + FRAME_MS];
    this.#late = { speechAtMs: first.atMs, endMs, voicedMs, windows: LATE_WAIT_WINDOWS };
  }

  /** Words that arrived late are speech of their own, unless the caller goes on with them. */
  #settleLate(): void {
    const late = this.#late;
    if (late === null) return;
    if (this.#detector.speaking) this.#late = null;
    else if (--late.windows === 0) {
      this.#late = null;
      this.#voiceEndMs = late.endMs;
      const { nowMs, step } = this.#edge;
      step({ type: 'speech-started', nowMs: nowMs(), speechAtMs: late.speechAtMs });
      step({ type: 'speech-stopped', nowMs: nowMs(), lastSpeechAtMs: late.endMs, voicedMs: late.voicedMs });
    }
  }

  /** The VAD was lost, or the line carries other audio than the caller's (`deaf`): speech in progress ends here. */
  reset(deaf: boolean): void {
    this.#late = null;
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

  /** Of the burst so far. A voice softer, and perhaps of another pitch, than a known caller's is somebody else's. */
  #distance(): Distance | 'other' {
    const { distance, underDb, levelDbfs } = this.#level;
    if (levelDbfs === null || underDb === null) return distance;
    const apart = this.#pitch.semitonesApart ?? 0;
    return distance === 'far' || (underDb > SOFTER_DB && apart > OTHER_SEMITONES) ? 'other' : distance;
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
        this.#pitch.begin(speechAtMs);
        this.#level.voiced(power, event.faint);
        this.#insistence.begin(speechAtMs);
        this.#insistence.voiced(window, WINDOW_MS);
        detection?.speechStarted(speechAtMs);
        step({ type: 'speech-started', nowMs, speechAtMs, ...(event.faint ? { faint: true } : {}) });
        return;
      }
      case 'speech-continued': {
        const distance = this.#distance();
        this.#level.voiced(power, event.faint);
        this.#insistence.voiced(window, WINDOW_MS);
        const { pressMs, hums } = this.#insistence;
        step({
          type: 'speech-continued',
          nowMs,
          voicedMs: event.voicedMs,
          ...(pressMs > 0 ? { pressMs } : {}),
          ...(hums ? { hums } : {}),
          ...(event.faint ? { faint: true } : {}),
          ...(distance === 'near' ? {} : { distance }),
        });
        return;
      }
      case 'speech-paused':
        step({ type: 'speech-paused', nowMs });
        return;
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
