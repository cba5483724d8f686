// A call from this browser: placed by the API, with audio over the engine's WebSocket, followed for its turns' times.
import { signal } from '@preact/signals';
import { call } from '../client.ts';
import { type CallEvent, type Conversation, follow, SILENT } from '../live/conversation.ts';
import { followCall } from '../live/follow-call.ts';
import { faultOf } from '../use-api.ts';
import { CallSocket } from './call-socket.ts';
import { type AudioPath, MicrophoneFault, openAudioPath, openMicrophone } from './microphone.ts';

type TalkPhase = 'idle' | 'microphone' | 'connecting' | 'talking' | 'ended';

export interface TalkFault {
  message: string;
  code: string;
  requestId: string | null;
}

export class WebCall {
  readonly phase = signal<TalkPhase>('idle');
  readonly conversation = signal<Conversation>(SILENT);
  readonly fault = signal<TalkFault | null>(null);
  readonly callId = signal<string | null>(null);
  readonly isMuted = signal(false);
  readonly startedAtMs = signal(0);
  /** The line was lost, and is joined again. */
  readonly isLost = signal(false);
  #socket: CallSocket | null = null;
  #audio: AudioPath | null = null;
  #abort = new AbortController();

  async begin(campaignId: string, variables: Record<string, string>): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    this.phase.value = 'microphone';
    this.conversation.value = SILENT;
    this.fault.value = null;
    this.callId.value = null;
    this.isMuted.value = false;
    this.isLost.value = false;
    let microphone: MediaStream | null = null;
    try {
      microphone = await openMicrophone();
      abort.signal.throwIfAborted();
      this.phase.value = 'connecting';
      this.#audio = await openAudioPath(microphone, (pcm) => this.#send(pcm));
      const { data } = await call('placeWebCall', { body: { campaignId, variables } }, { signal: abort.signal });
      this.callId.value = data.call.id;
      this.#join(data.socketUrl);
      void followCall(data.call.id, {
        signal: abort.signal,
        onEvent: (event) => event.type === 'latency' && this.#take(event),
      }).then(
        () => this.#callEnded(abort),
        () => undefined,
      );
    } catch (fault) {
      for (const track of microphone?.getTracks() ?? []) track.stop();
      if (abort.signal.aborted) return this.#closeAudio(abort);
      this.#end(talkFault(fault));
    }
  }

  /** Closing the socket hangs up; one that is lost cannot say so. */
  hangUp(): void {
    const callId = this.callId.peek();
    if (this.#socket?.isLost && callId !== null)
      void call('endCall', { params: { id: callId } }).catch(() => undefined);
    this.#end(null);
  }

  mute(isMuted: boolean): void {
    this.isMuted.value = isMuted;
    this.#audio?.mute(isMuted);
  }

  level(): number {
    return this.isMuted.peek() ? 0 : (this.#audio?.level() ?? 0);
  }

  #join(socketUrl: string): void {
    this.#socket = new CallSocket(socketUrl, {
      onJoined: () => {
        this.startedAtMs.value = Date.now();
        this.phase.value = 'talking';
      },
      onMessage: (data) => {
        if (data instanceof ArrayBuffer) this.#audio?.play(data);
        else this.#take(JSON.parse(data) as CallEvent);
      },
      onLost: (isLost) => {
        this.isLost.value = isLost;
      },
      onEnd: (hasJoined) =>
        this.#end(hasJoined ? null : { message: unreachable(socketUrl), code: 'SOCKET', requestId: null }),
    });
  }

  #take(event: CallEvent): void {
    this.conversation.value = follow(this.conversation.peek(), event);
  }

  #send(pcm: ArrayBuffer): void {
    this.#socket?.send(pcm);
  }

  /** Closes audio that was opened after the call was left during connecting, unless another call has begun. */
  #closeAudio(abort: AbortController): void {
    if (this.#abort !== abort) return;
    this.#audio?.close();
    this.#audio = null;
  }

  /** The service says so. An open socket says it itself, after the last words. */
  #callEnded(abort: AbortController): void {
    if (this.#abort === abort && !abort.signal.aborted && this.#socket?.isLost) this.#end(null);
  }

  #end(fault: TalkFault | null): void {
    this.#abort.abort();
    this.#socket?.close();
    this.#socket = null;
    this.#closeAudio(this.#abort);
    this.fault.value = fault;
    this.phase.value = fault === null && this.callId.peek() !== null ? 'ended' : 'idle';
  }
}

const unreachable = (socketUrl: string): string =>
  `The engine’s audio socket at ${new URL(socketUrl).host} cannot be reached from this browser. Behind a proxy, MEDIA_WS_PUBLIC_URL says where browsers find it.`;

function talkFault(fault: unknown): TalkFault {
  if (fault instanceof MicrophoneFault) return { message: fault.message, code: 'MICROPHONE', requestId: null };
  const { code, message, requestId } = faultOf(fault);
  return { code, message, requestId };
}
