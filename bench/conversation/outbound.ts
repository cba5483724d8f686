// Calls that the service places: a trunk whose far side is the bench's callee, and for each take a number that answers
// with a simulated person's audio.
import { setTimeout as pause } from 'node:timers/promises';
import type { CallDialog } from '../rig/caller/call.ts';
import type { SipEvent } from '../rig/caller/sip.ts';
import { type ApiClient, addCampaign, addTrunk } from '../rig/outbound-setup.ts';
import { type AnsweredAudio, Callee } from '../rig/phone/callee.ts';

const OWN_NUMBER = '+12025550142';
/** From ringing to the answer. */
const RING_MS = 300;

export class OutboundLine {
  readonly #client: ApiClient;
  readonly #callee: Callee;
  readonly #campaign: { id: string; numberId: string };
  readonly #answering: Map<string, AnsweredAudio>;

  private constructor(
    client: ApiClient,
    callee: Callee,
    campaign: { id: string; numberId: string },
    answering: Map<string, AnsweredAudio>,
  ) {
    this.#client = client;
    this.#callee = callee;
    this.#campaign = campaign;
    this.#answering = answering;
  }

  static async open(client: ApiClient): Promise<OutboundLine> {
    const answering = new Map<string, AnsweredAudio>();
    const callee = await new Callee((number) => {
      const audio = answering.get(number);
      return audio ? { kind: 'answer', afterMs: RING_MS, audio } : { kind: 'ring' };
    }).start();
    const trunkId = await addTrunk(client, callee.port, { callsPerSecond: 100, maxConcurrentCalls: 100 });
    const campaign = await addCampaign(client, trunkId, OWN_NUMBER);
    return new OutboundLine(client, callee, campaign, answering);
  }

  /** The signalling of a call to this number. */
  dialog(toNumber: string, rtpPort: number, onEvent: (event: SipEvent) => void): CallDialog {
    return {
      invite: async () => {
        this.#answering.set(toNumber, {
          rtpPort,
          onAnswered: ({ address, port }) =>
            onEvent({
              type: 'answered',
              remoteAddress: address,
              remotePort: port,
              payloadType: 0,
              eventPayloadType: null,
            }),
          onEnded: () => onEvent({ type: 'ended', by: 'remote', status: 200, reason: 'BYE' }),
        });
        const { id: campaignId, numberId: fromPhoneNumberId } = this.#campaign;
        const answer = await this.#client.request('POST', '/calls', { campaignId, fromPhoneNumberId, toNumber });
        if (answer.status !== 201) throw new Error(`POST /calls: ${answer.status} ${answer.body.error}`);
      },
      hangUp: () => this.#callee.hangUp(toNumber),
      close: () => this.#answering.delete(toNumber),
    };
  }

  async close(): Promise<void> {
    // The last BYEs are answered.
    await pause(200);
    this.#callee.stop();
  }
}
