// Callees that go dark, each at one step of its dialog. Health checks of the trunk are answered all the time: a trunk
// that is down would get no calls.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { headerValue, methodOf, newTag, requestOfCallee, response, sdp, statusOf } from '../phone/sip-text.ts';
import { pause } from '../scenario.ts';

export const CALLEE_STEPS = [
  'INVITE',
  '100',
  '180',
  '183',
  '200',
  'ACK',
  're-INVITE',
  'BYE',
  'BYE of the other side',
  'CANCEL of the other side',
] as const;
export type CalleeStep = (typeof CALLEE_STEPS)[number];

interface Dialog {
  invite: string;
  from: RemoteInfo;
  step: CalleeStep;
  tag: string;
  isDark: boolean;
  isAcknowledged: boolean;
}

export class DarkCallees {
  readonly #stepOf: (number: string) => CalleeStep;
  readonly #sip: Socket = createSocket('udp4');
  readonly #rtp: Socket = createSocket('udp4');
  /** By Call-ID. */
  readonly #dialogs = new Map<string, Dialog>();
  port = 0;

  constructor(stepOf: (number: string) => CalleeStep) {
    this.#stepOf = stepOf;
  }

  async start(): Promise<this> {
    this.#rtp.on('message', () => {});
    this.#sip.on('message', (data, from) => this.#receive(data.toString('latin1'), from));
    for (const socket of [this.#sip, this.#rtp]) {
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
    }
    this.port = this.#sip.address().port;
    return this;
  }

  /** Steps at which a callee has gone dark. */
  get reached(): Set<CalleeStep> {
    return new Set([...this.#dialogs.values()].filter(({ isDark }) => isDark).map(({ step }) => step));
  }

  /** Answered, or ringing where that is all it does: the other side may end it now. */
  isUp(step: CalleeStep): boolean {
    return [...this.#dialogs.values()].some((dialog) => dialog.step === step && dialog.isAcknowledged);
  }

  close(): void {
    this.#sip.close();
    this.#rtp.close();
  }

  #receive(text: string, from: RemoteInfo): void {
    if (statusOf(text) > 0) return;
    const method = methodOf(text);
    if (method === 'OPTIONS') return this.#send(response(text, 200, { tag: 'health' }), from);
    const callId = headerValue(text, 'Call-ID');
    const dialog = this.#dialogs.get(callId);
    if (dialog?.isDark) return;
    if (method === 'INVITE' && !dialog) {
      const step = this.#stepOf(/^INVITE sips?:([^@;\s]+)/.exec(text)?.[1] ?? '');
      const fresh = { invite: text, from, step, tag: newTag(), isDark: false, isAcknowledged: false };
      this.#dialogs.set(callId, fresh);
      return this.#invited(fresh);
    }
    if (!dialog) return;
    if (method === 'ACK' && !dialog.isAcknowledged) void this.#acknowledged(dialog);
    if (method === 'BYE' || method === 'CANCEL') dialog.isDark = true;
  }

  #invited(dialog: Dialog): void {
    const { step, tag } = dialog;
    if (step === 'INVITE') {
      dialog.isDark = true;
      return;
    }
    this.#answer(dialog, 100);
    if (step === '100') {
      dialog.isDark = true;
      return;
    }
    const contact = `sip:dark@127.0.0.1:${this.port}`;
    const body = sdp(this.#rtp.address().port);
    if (step === '183') this.#answer(dialog, 183, { tag, contact, body });
    else this.#answer(dialog, 180, { tag, contact });
    if (step === '180' || step === '183') dialog.isDark = true;
    if (step === 'CANCEL of the other side') dialog.isAcknowledged = true;
    if (dialog.isDark || dialog.isAcknowledged) return;
    this.#answer(dialog, 200, { tag, contact, body });
    if (step === '200') dialog.isDark = true;
  }

  async #acknowledged(dialog: Dialog): Promise<void> {
    dialog.isAcknowledged = true;
    switch (dialog.step) {
      case 'ACK':
        break;
      case 're-INVITE':
        await pause(500);
        this.#request(dialog, 'INVITE', sdp(this.#rtp.address().port, 2));
        break;
      case 'BYE':
        await pause(500);
        this.#request(dialog, 'BYE');
        break;
      default:
        return;
    }
    dialog.isDark = true;
  }

  #request({ invite, from, tag }: Dialog, method: string, body = ''): void {
    this.#send(requestOfCallee(invite, method, { port: this.port, tag, user: 'dark', body }), from);
  }

  #answer({ invite, from }: Dialog, status: number, options: { tag?: string; contact?: string; body?: string } = {}) {
    this.#send(response(invite, status, options), from);
  }

  #send(text: string, to: RemoteInfo): void {
    this.#sip.send(text, to.port, to.address);
  }
}
