// Outbound calls of the service: a trunk with one phone as its far side, and for each take a number at which a
// simulated person answers, with its own audio.
import { setTimeout as pause } from 'node:timers/promises';
import { Phone } from '../../engine/test-runs/caller/phone/phone.ts';
import type { PhoneCall, PhoneEvent } from '../../engine/test-runs/caller/phone/phone-call.ts';
import type { CallDialog } from '../../engine/test-runs/caller/sip.ts';
import { addCampaign, addTrunk } from '../rig/service/outbound-setup.ts';
import type { Rest } from '../rig/service/rest.ts';

const OWN_NUMBER = '+12025550142';
/** From ringing to the answer. */
const RING_MS = 300;

interface Person {
  rtpPort: number;
  onEvent(event: PhoneEvent): void;
}

export class OutboundLine {
  readonly #client: Rest;
  readonly #campaign: { id: string; numberId: string };
  readonly #phone: Phone;
  readonly #people: Map<string, Person>;

  private constructor(
    client: Rest,
    campaign: { id: string; numberId: string },
    phone: Phone,
    people: Map<string, Person>,
  ) {
    this.#client = client;
    this.#campaign = campaign;
    this.#phone = phone;
    this.#people = people;
  }

  static async open(client: Rest): Promise<OutboundLine> {
    const people = new Map<string, Person>();
    const phone = await Phone.start({
      async script(call: PhoneCall) {
        const person = people.get(call.number);
        call.ring();
        if (!person) return;
        call.onEvent = person.onEvent;
        await call.pause(RING_MS);
        call.answer(person.rtpPort);
      },
    });
    const trunkId = await addTrunk(client, phone.port, { callsPerSecond: 100, maxConcurrentCalls: 100 });
    const campaign = await addCampaign(client, trunkId, OWN_NUMBER);
    return new OutboundLine(client, campaign, phone, people);
  }

  /** The signalling of a call to this number. */
  dialog(toNumber: string, rtpPort: number, onEvent: (event: PhoneEvent) => void): CallDialog {
    return {
      invite: async () => {
        this.#people.set(toNumber, { rtpPort, onEvent });
        const { id: campaignId, numberId: fromPhoneNumberId } = this.#campaign;
        const answer = await this.#client.request('POST', '/calls', { campaignId, fromPhoneNumberId, toNumber });
        if (answer.status !== 201) throw new Error(`POST /calls: ${answer.status} ${answer.body.error}`);
      },
      hangUp: () => this.#phone.callTo(toNumber)?.hangUp(),
      close: () => this.#people.delete(toNumber),
    };
  }

  async close(): Promise<void> {
    // The last BYEs are answered.
    await pause(200);
    this.#phone.stop();
  }
}
