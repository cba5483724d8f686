// A call from the dashboard: placed by the API, led over its line, followed for its turns' times.
import { signal } from '@preact/signals';
import { workletAddress } from '../audio/worklet-address.ts';
import { call } from '../client.ts';
import { type CallEvent, type Conversation, follow, SILENT } from '../live/conversation.ts';
import { followCall } from '../live/follow-call.ts';
import { faultOf } from '../use-api.ts';
import { t } from '../words/words.ts';
import { CallLine, LineUnreachable } from './call-line.ts';
import { MicrophoneFault } from './microphone.ts';
import { remedyOf } from './microphone-words.ts';

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
  #line: CallLine | null = null;

  async begin(campaignId: string, variables: Record<string, string>): Promise<void> {
    this.conversation.value = SILENT;
    this.fault.value = null;
    this.callId.value = null;
    this.isMuted.value = false;
    this.isLost.value = false;
    const line = new CallLine(
      {
        worklet: workletAddress(),
        place: async (abort) => {
          const { data } = await call('placeWebCall', { body: { campaignId, variables } }, { signal: abort });
          this.callId.value = data.call.id;
          void this.#follow(line, data.call.id, abort);
          return data;
        },
      },
      {
        onPhase: (phase) => {
          this.phase.value = phase;
          if (phase === 'talking') this.startedAtMs.value = Date.now();
        },
        onEvent: (event) => this.#take(event),
        onLost: (isLost) => {
          this.isLost.value = isLost;
        },
        onEnd: (fault) => {
          this.fault.value = fault === null ? null : talkFault(fault);
          this.phase.value = fault === null && this.callId.peek() !== null ? 'ended' : 'idle';
        },
      },
    );
    this.#line = line;
    await line.start();
  }

  /** Closing the socket hangs up; one that is lost cannot say so. */
  hangUp(): void {
    const callId = this.callId.peek();
    if (this.#line?.isLost && callId !== null) void call('endCall', { params: { id: callId } }).catch(() => undefined);
    this.#line?.end();
  }

  mute(isMuted: boolean): void {
    this.isMuted.value = isMuted;
    this.#line?.mute(isMuted);
  }

  level(): number {
    return this.#line?.level() ?? 0;
  }

  /** Turns' times; and the end of a call whose line is lost: an open socket says it itself, after the last words. */
  async #follow(line: CallLine, callId: string, abort: AbortSignal): Promise<void> {
    try {
      await followCall(callId, {
        signal: abort,
        onEvent: (event) => event.type === 'latency' && this.#take(event),
      });
      if (line.isLost) line.end();
    } catch {
      // The line goes on without.
    }
  }

  #take(event: CallEvent): void {
    this.conversation.value = follow(this.conversation.peek(), event);
  }
}

function talkFault(fault: unknown): TalkFault {
  if (fault instanceof MicrophoneFault) return { message: remedyOf(fault), code: 'MICROPHONE', requestId: null };
  if (fault instanceof LineUnreachable) return { message: unreachable(fault.host), code: 'SOCKET', requestId: null };
  const { code, message, requestId } = faultOf(fault);
  return { code, message, requestId };
}

const unreachable = (host: string): string =>
  t(
    'The engine’s audio socket at {host} cannot be reached from this browser. Behind a proxy, MEDIA_WS_PUBLIC_URL says where browsers find it.',
    { host },
  );
