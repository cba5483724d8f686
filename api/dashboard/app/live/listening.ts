// Somebody listens to a running call, and perhaps speaks: to the agent, or to the caller in its place. A listener
// who loses the line to the engine asks again: the call may go on in another one.
import { signal } from '@preact/signals';
import { messageOf } from '../../../../db/domain/unexpected.ts';
import { call } from '../client.ts';
import { saidError } from '../faults/error-words.ts';
import { MicrophoneFault } from '../talk/microphone.ts';
import { remedyOf } from '../talk/microphone-words.ts';
import { faultOf } from '../use-api.ts';
import { t } from '../words/words.ts';
import { type CallEvent, type Conversation, follow, SILENT } from './conversation.ts';
import { ListeningAudio } from './listening-audio.ts';

export type ListenMode = 'listen' | 'whisper' | 'take-over';

/** The engine's messages beside the words. */
interface CallControlState {
  isMuted: boolean;
  isMasked: boolean;
  speaker: { by: 'socket' | 'phone'; mode: string; listenerId?: string } | null;
}

type Message =
  | CallEvent
  | ({ type: 'control' } & CallControlState)
  | { type: 'mode'; mode: ListenMode }
  | { type: 'refused'; code: string; message: string };

/** Loudness of each 20 ms, 0 to 1: the caller's and the agent's. */
export type Levels = Array<readonly [caller: number, agent: number]>;

/** 20 ms of both channels at 16 kHz. */
const FRAME_SAMPLES = 640;
/** Six seconds. */
export const LEVELS_MAX = 300;
const CALL_ENDED = 1000;
const REFUSED = 1008;
const RETRY_MS = 700;
/** An engine takes so long at most to come back. */
const RETRIES_MAX = 40;
const NOTHING: CallControlState = { isMuted: false, isMasked: false, speaker: null };

export class Listening {
  readonly phase = signal<'connecting' | 'listening' | 'ended'>('connecting');
  readonly mode = signal<ListenMode>('listen');
  readonly control = signal<CallControlState>(NOTHING);
  readonly conversation = signal<Conversation>(SILENT);
  readonly fault = signal<string | null>(null);
  readonly levels: Levels = [];
  readonly #callId: string;
  #socket: WebSocket | null = null;
  #audio: ListeningAudio | null = null;
  #retries = 0;
  /** The loudest sample of the microphone's newest piece. */
  #spoken = 0;
  #isClosed = false;

  constructor(callId: string) {
    this.#callId = callId;
  }

  async begin(): Promise<void> {
    try {
      this.#audio ??= await ListeningAudio.open((pcm) => this.#speak(pcm));
      const { data } = await call('listenToCall', { params: { id: this.#callId } });
      if (this.#isClosed) return;
      this.conversation.value = SILENT;
      this.#join(data.socketUrl);
    } catch (fault) {
      const { code, message } = faultOf(fault);
      if (code === 'ENGINE_DOWN' && this.#retries < RETRIES_MAX) return this.#again();
      this.#end(code === 'CALL_ENDED' ? null : message);
    }
  }

  /** The microphone is opened first: who takes over without one would leave the caller in silence. */
  async change(mode: ListenMode): Promise<void> {
    this.fault.value = null;
    try {
      if (mode !== 'listen') await this.#audio?.openMicrophone();
      this.#socket?.send(JSON.stringify({ type: 'mode', mode }));
    } catch (fault) {
      this.fault.value = fault instanceof MicrophoneFault ? remedyOf(fault) : messageOf(fault);
    }
  }

  close(): void {
    this.#isClosed = true;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#audio?.close();
    this.#audio = null;
  }

  #join(socketUrl: string): void {
    const socket = new WebSocket(socketUrl);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.onopen = () => {
      this.#retries = 0;
      this.phase.value = 'listening';
    };
    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (this.#socket !== socket) return;
      if (typeof data === 'string') this.#told(JSON.parse(data) as Message);
      else this.#heard(new Int16Array(data));
    };
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#listensOnly();
      if (code === CALL_ENDED) return this.#end(null);
      if (code === REFUSED) return this.#end(t('You may no longer listen: sign in again.'));
      this.#again();
    };
  }

  #again(): void {
    if (this.#isClosed || ++this.#retries > RETRIES_MAX) return this.#end(t('The line to the engine was lost.'));
    this.phase.value = 'connecting';
    setTimeout(() => {
      if (!this.#isClosed) void this.begin();
    }, RETRY_MS);
  }

  /** A message has 20 ms, or several times as much. */
  #heard(both: Int16Array): void {
    for (let at = 0; at < both.length; at += FRAME_SAMPLES) this.#measure(both.subarray(at, at + FRAME_SAMPLES));
    this.#audio?.play(both);
  }

  #measure(frame: Int16Array): void {
    let [caller, agent] = [0, 0];
    for (let i = 0; i < frame.length; i += 2) {
      caller = Math.max(caller, Math.abs(frame[i] ?? 0));
      agent = Math.max(agent, Math.abs(frame[i + 1] ?? 0));
    }
    // A supervisor who talks in the agent's place does not get their own voice back.
    if (this.mode.peek() === 'take-over') agent = this.#spoken;
    this.levels.push([caller / 32_768, agent / 32_768]);
    if (this.levels.length > LEVELS_MAX) this.levels.shift();
  }

  #told(message: Message): void {
    switch (message.type) {
      case 'control': {
        const { isMuted, isMasked, speaker } = message;
        this.control.value = { isMuted, isMasked, speaker };
        return;
      }
      case 'mode':
        this.mode.value = message.mode;
        if (message.mode === 'listen') this.#listensOnly();
        return;
      case 'refused':
        this.fault.value = saidError(message.code, message.message).message;
        if (this.mode.value === 'listen') this.#listensOnly();
        return;
      default:
        this.conversation.value = follow(this.conversation.peek(), message);
    }
  }

  #listensOnly(): void {
    this.mode.value = 'listen';
    this.#audio?.closeMicrophone();
  }

  #speak(pcm: ArrayBuffer): void {
    this.#spoken = new Int16Array(pcm).reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
    if (this.mode.peek() !== 'listen' && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(pcm);
  }

  #end(fault: string | null): void {
    this.fault.value = fault;
    this.phase.value = 'ended';
    this.close();
  }
}
