// A visitor's call, for a design of the page's own as for the panel: what it is doing, what was said, and its end.
import { type Conversation, follow, linesOf, SILENT } from '../live/conversation.ts';
import { CallLine, LineUnreachable } from '../talk/call-line.ts';
import { MicrophoneFault } from '../talk/microphone.ts';
import { WidgetFault, type WidgetService } from './service.ts';

type CallPhase = 'idle' | 'microphone' | 'connecting' | 'talking' | 'ended';

/** Each event `change` means that something here is new; `end` comes once a call is over. */
export class WidgetCall extends EventTarget {
  phase: CallPhase = 'idle';
  /** Why there is no call, as a code: of the service, or `MICROPHONE_REFUSED` and the like. */
  fault: string | null = null;
  isMuted = false;
  /** The line was lost, and is joined again. */
  isLost = false;
  /** Of `performance.now()`; null before the call is there. */
  startedAtMs: number | null = null;
  endedAtMs: number | null = null;
  readonly #service: WidgetService;
  #conversation: Conversation = SILENT;
  #line: CallLine | null = null;

  constructor(service: WidgetService) {
    super();
    this.#service = service;
  }

  /** `listening`, `thinking`, `speaking`; null before the agent is there. */
  get agent(): string | null {
    return this.#conversation.state;
  }

  /** Words of both sides, oldest first; the last lines may grow. */
  get said(): Array<{ speaker: string; text: string; timestamp: number }> {
    return linesOf(this.#conversation).map(({ speaker, text, timestamp }) => ({ speaker, text, timestamp }));
  }

  /** Call it when the visitor has pressed something: browsers ask for the microphone then. Resolves when it rings. */
  async start(): Promise<void> {
    if (this.#line !== null) return;
    this.#conversation = SILENT;
    Object.assign(this, { fault: null, isMuted: false, isLost: false, startedAtMs: null, endedAtMs: null });
    const line = new CallLine(
      {
        worklet: this.#service.worklet,
        place: async (signal) => this.#service.ask('/calls', await this.#service.captcha(), signal),
      },
      {
        onPhase: (phase) => {
          if (phase === 'talking') this.startedAtMs = performance.now();
          this.#is({ phase });
        },
        onEvent: (event) => {
          this.#conversation = follow(this.#conversation, event);
          this.#is({});
        },
        onLost: (isLost) => this.#is({ isLost }),
        onEnd: (fault) => this.#ended(fault),
      },
    );
    this.#line = line;
    await line.start();
  }

  mute(isMuted: boolean): void {
    this.#line?.mute(isMuted);
    this.#is({ isMuted });
  }

  /** A key of the telephone: 0 to 9, `*`, `#`. */
  press(digit: string): void {
    this.#line?.press(digit);
  }

  /** The loudest recent sample of the microphone, 0 to 1. */
  level(): number {
    return this.#line?.level() ?? 0;
  }

  end(): void {
    this.#line?.end();
  }

  #ended(fault: unknown): void {
    this.#line = null;
    const wasThere = this.startedAtMs !== null;
    this.endedAtMs = performance.now();
    this.#is({ phase: wasThere ? 'ended' : 'idle', isLost: false, fault: fault === null ? null : codeOf(fault) });
    this.dispatchEvent(new CustomEvent('end', { detail: { fault: this.fault } }));
  }

  #is(changes: Partial<Pick<WidgetCall, 'phase' | 'isMuted' | 'isLost' | 'fault'>>): void {
    Object.assign(this, changes);
    this.dispatchEvent(new Event('change'));
  }
}

function codeOf(fault: unknown): string {
  if (fault instanceof MicrophoneFault) return `MICROPHONE_${fault.reason.toUpperCase().replace('-', '_')}`;
  if (fault instanceof WidgetFault) return fault.code;
  if (fault instanceof LineUnreachable) {
    console.error(`Voice widget: ${fault.message}. Does the page's policy (connect-src) name it?`);
    return 'UNREACHABLE';
  }
  console.error('Voice widget:', fault, "Does the page's policy (script-src) name the service?");
  return 'MICROPHONE_FAILED';
}
