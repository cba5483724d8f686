// The media shard on the stage: the audio of each call with a turn machine that always yields and never errs. What the
// engine asks of it is printed, and speech takes its time.
import type { VirtualClock } from '../../../bench/rig/clock.ts';
import {
  type CallCommand,
  NO_STATS,
  type OpenCall,
  type ShardEvent,
  type SpeechUses,
} from '../../../engine/shard/protocol.ts';
import type { NegotiatedAudio } from '../../../engine/sip/telephony.ts';
import type { ReplyCause } from '../../../engine/turn/machine.ts';
import type { SpeechAsk, SpeechEvent } from '../../../models/speech-to-speech/speech-to-speech.ts';
import type { SttVocabulary } from '../../../models/stt/stt.ts';

/** Playback time of speech, per character. */
const MS_PER_CHAR = 60;

export interface StageShardOptions {
  /** The recogniser's answer to another language: why it cannot hear it, null for yes; 'silent': nothing. */
  hearsIn?: (language: string) => string | null | 'silent';
  /** The line takes telephone events. */
  takesDigits?: boolean;
  faults?: { open?: boolean; neverCloses?: boolean };
}

export type SpeechRequest = Extract<SpeechAsk, { type: 'respond' }>;

interface Speaking {
  epoch: number;
  texts: string[];
  cause: ReplyCause;
  isCommitted: boolean;
  isComplete: boolean;
  startedAtMs: number | null;
  cancel: (() => void) | null;
  /** The speech-to-speech model has begun it, and not ended it. */
  owes?: boolean;
}

/** The audio of one call in the shard, with a turn machine that always yields and never errs. */
export class StageAudio {
  readonly command: OpenCall;
  readonly #emit: (event: ShardEvent) => void;
  epoch = 0;
  answeredAtMs: number | null = null;
  connected: NegotiatedAudio | null = null;
  current: Speaking | null = null;
  /** The conductor asked it to close. */
  isClosed = false;
  /** Closed, or never opened: it reports nothing more. */
  isGone = false;

  constructor(command: OpenCall, emit: (event: ShardEvent) => void) {
    this.command = command;
    this.#emit = emit;
  }

  emit(event: ShardEvent): void {
    if (this.isGone) return;
    this.isGone = event.type === 'closed' || event.type === 'open-failed';
    this.#emit(event);
  }
}

export class StageShard {
  readonly #options: StageShardOptions;
  readonly #clock: VirtualClock;
  readonly #print: (line: string) => void;
  readonly #audio = new Map<string, StageAudio>();
  /** The requests to the speech-to-speech model, in order. */
  readonly asks: SpeechAsk[] = [];
  /** The speech-to-speech model is asked for an answer. */
  onAsk: (ask: SpeechRequest) => void = () => undefined;
  /** Of recogniser and voice, told with the end of the audio. */
  uses: SpeechUses | null = null;
  /** Told what the recogniser is to hear from then on. */
  onListen: (vocabulary: SttVocabulary) => void = () => undefined;

  constructor(options: StageShardOptions, clock: VirtualClock, print: (line: string) => void) {
    this.#options = options;
    this.#clock = clock;
    this.#print = print;
  }

  audio(callId = 'call_1'): StageAudio {
    const audio = this.#audio.get(callId);
    if (!audio) throw new Error(`no audio of ${callId} was opened`);
    return audio;
  }

  hasAudio(callId = 'call_1'): boolean {
    return this.#audio.has(callId);
  }

  /** Audio that was opened and never closed. */
  get openAudio(): string[] {
    return [...this.#audio].filter(([, audio]) => !audio.isClosed).map(([callId]) => callId);
  }

  open(command: OpenCall, emit: (event: ShardEvent) => void): void {
    const { callId } = command;
    this.#print(`> shard: open ${callId}`);
    const audio = new StageAudio(command, emit);
    this.#audio.set(callId, audio);
    // As the pool: the owner has heard of it in another process.
    if (command.resume) return;
    this.#clock.after(2, () => {
      if (!this.#options.faults?.open) {
        audio.emit({ type: 'opened', callId, address: '127.0.0.1', port: 20_000 });
        return;
      }
      audio.isClosed = true;
      audio.emit({ type: 'open-failed', callId, code: 'NO_PORTS', message: 'no ports' });
    });
  }

  /** As the pool: false if there is no such audio. */
  send(command: CallCommand): boolean {
    const audio = this.#audio.get(command.callId);
    if (!audio || audio.isGone) return false;
    if (!audio.isClosed) this.#perform(audio, command);
    return true;
  }

  #perform(audio: StageAudio, command: CallCommand): void {
    const { callId } = command;
    switch (command.type) {
      case 'connect':
        audio.connected = command.audio;
        return;
      case 'answered':
        audio.answeredAtMs ??= this.#clock.monotonicMs();
        // A call that goes on after its answer has had its opening.
        if (!audio.command.resume?.answeredAtMs) this.want(audio, { kind: 'opening' });
        return;
      case 'speak': {
        const reply = audio.current;
        if (!reply || reply.epoch !== command.epoch) return;
        reply.texts.push(command.text);
        reply.startedAtMs ??= this.position(audio);
        this.#print(`> ${callId === 'call_1' ? 'agent' : 'agent to person'}: ${command.text}`);
        return;
      }
      case 'speech-model':
        this.asks.push(command.ask);
        if (command.ask.type === 'respond') this.onAsk(command.ask);
        return;
      case 'reply-complete':
        this.#complete(audio, command.epoch);
        return;
      case 'request-reply':
        this.want(audio, { kind: 'requested', request: command.request });
        return;
      case 'digit':
        this.#print(`> shard: digit ${command.digit}`);
        audio.emit({ type: 'caller-digits', callId, digits: command.digit, atMs: this.position(audio) });
        return;
      case 'listen-in': {
        const { language, additionalLanguages = [] } = command.vocabulary;
        this.#print(`> shard: listen in ${[language, ...additionalLanguages].join(', ')}`);
        this.onListen(command.vocabulary);
        const message = this.#options.hearsIn?.(language) ?? null;
        if (message === 'silent') return;
        this.#clock.after(40, () => audio.emit({ type: 'listens-in', callId, change: command.change, message }));
        return;
      }
      case 'speak-in':
        this.#print(
          `> shard: speak in ${command.language}, voice ${command.voice.voiceId}${command.speechVoice === null ? '' : `, model's ${command.speechVoice}`}`,
        );
        return;
      case 'send-digits': {
        const ok = this.#options.takesDigits ?? true;
        this.#print(`> shard: digits ${command.digits}${ok ? '' : ' (not taken)'}`);
        this.#clock.after(1, () => audio.emit({ type: 'digits-sent', callId, ok }));
        return;
      }
      case 'silence':
        if (audio.current) this.#print('> agent stops');
        return this.cut(audio);
      case 'mask':
        this.#print(`> recording: ${command.isMasked ? 'masked' : 'unmasked'}`);
        return;
      case 'bridge':
      case 'unbridge':
        this.#print(`> shard: ${command.type}`);
        return;
      case 'whisper':
        this.#print(`> shard: ${callId} hears ${command.otherCallId} beside the call`);
        return;
      case 'hold-music':
        this.#print(`> shard: music ${command.isOn ? 'on' : 'off'}${command.own ? ', their own' : ''}`);
        return;
      case 'close':
        this.#close(audio, callId);
        return;
      default:
    }
  }

  /** The speech-to-speech model says something, as the shard tells it. */
  modelSays(event: SpeechEvent): void {
    const audio = this.audio();
    const reply = audio.current;
    const callId = 'call_1';
    if (event.type === 'words' && reply?.epoch === event.epoch) {
      this.#print(`> agent, own voice: ${event.text.trim()}`);
      reply.startedAtMs ??= this.position(audio);
      reply.owes = true;
      reply.texts.push(event.text.trim());
    }
    if (event.type === 'done' && reply?.epoch === event.epoch) reply.owes = false;
    if (event.type === 'lost') this.#print(`< model: lost (${event.message})`);
    audio.emit({ type: 'speech-model', callId, event });
    if (event.type !== 'lost') return;
    const { message } = event;
    audio.emit({ type: 'model-fallback', callId, model: 'speech-to-speech', from: 'fake', to: 'cascade', message });
    const request = { kind: 'answer', note: { kind: 'voice-lost' } } as const;
    // In another message from the shard.
    if (reply?.owes) this.#clock.after(1, () => this.want(audio, { kind: 'requested', request }));
  }

  position(audio: StageAudio): number {
    return audio.answeredAtMs === null ? 0 : this.#clock.monotonicMs() - audio.answeredAtMs;
  }

  want(audio: StageAudio, cause: ReplyCause): void {
    this.cut(audio);
    const epoch = ++audio.epoch;
    const fresh: Speaking = {
      epoch,
      texts: [],
      cause,
      isCommitted: true,
      isComplete: false,
      startedAtMs: null,
      cancel: null,
    };
    audio.current = fresh;
    audio.emit({ type: 'reply-wanted', callId: audio.command.callId, epoch, cause, committed: true });
  }

  #complete(audio: StageAudio, epoch: number): void {
    const reply = audio.current;
    if (!reply || reply.epoch !== epoch) return;
    reply.isComplete = true;
    const text = reply.texts.join(' ');
    reply.cancel = this.#clock.after(text.length * MS_PER_CHAR, () => this.#heard(audio, reply, text, false));
  }

  #heard(audio: StageAudio, reply: Speaking, text: string, interrupted: boolean): void {
    if (audio.current === reply) audio.current = null;
    const { epoch, startedAtMs } = reply;
    audio.emit({
      type: 'reply-heard',
      callId: audio.command.callId,
      epoch,
      text,
      startedAtMs: startedAtMs ?? 0,
      interrupted,
    });
  }

  /** The speaker takes the floor: the agent's reply keeps only what was heard. */
  cut(audio: StageAudio): void {
    const reply = audio.current;
    if (!reply) return;
    reply.cancel?.();
    const saidMs = reply.startedAtMs === null ? 0 : this.position(audio) - reply.startedAtMs;
    const whole = reply.texts.join(' ');
    const heard = whole.slice(0, Math.floor(saidMs / MS_PER_CHAR));
    this.#heard(audio, reply, heard.slice(0, Math.max(0, heard.lastIndexOf(' '))), true);
  }

  #close(audio: StageAudio, callId: string): void {
    audio.current?.cancel?.();
    audio.current = null;
    audio.isClosed = true;
    if (callId === 'call_1') this.#print('> shard: close');
    if (this.#options.faults?.neverCloses) return;
    const { recordingPath } = audio.command;
    const recordedMs = this.position(audio);
    this.#clock.after(30, () => {
      audio.emit({
        type: 'closed',
        callId,
        recordedMs,
        recordingPath: audio.answeredAtMs === null ? null : recordingPath,
        stats: { ...NO_STATS, ...(this.uses ? { uses: this.uses } : {}) },
      });
    });
  }
}
