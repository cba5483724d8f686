// Sends texts by the carriers: each is noted as being sent before its carrier is asked, so that after a crash, or an
// answer that was lost, the carrier is first asked whether it has the text. None is sent twice; one of which nobody can
// say whether it was sent fails.
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { getConversation, optedOutAt } from '../../db/queries/conversations/conversations.ts';
import {
  claimMessage,
  dueMessage,
  getMessage,
  messageOfCarrier,
  updateMessage,
} from '../../db/queries/conversations/messages.ts';
import { type CarrierRow, carrierOfNumber } from '../../db/queries/numbers/carriers.ts';
import { messageContext } from '../../db/rules/texting.ts';
import type { ConversationTable, MessageTable, TextParts } from '../../db/schema/conversations.ts';
import { CONVERSATIONS, transact } from '../../db/scope.ts';
import { unseal } from '../../db/shared/secrets/secret-box.ts';
import { openCarrier } from '../carriers/api/open.ts';
import { CarrierError } from '../carriers/carrier.ts';
import { textsUrl } from '../carriers/texting.ts';
import type { ApiContext } from '../context.ts';
import type { JobRun } from '../frame/job.ts';
import { tellOfSent } from './tell.ts';

const IN_FLIGHT_MAX = 16;
/** Longer than the requests of an attempt, and than a carrier works on one whose answer was lost. */
const ATTENDED_MS = 15_000;
/** After an answer that says that nothing was done, and after one that never came. */
const RETRY_DELAYS_MS = [30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS];
const NOT_KNOWN = 'The carrier did not answer, and cannot be asked whether it has sent it';

export class TextJob implements JobRun {
  readonly #context: ApiContext;
  readonly #inFlight = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(context: ApiContext) {
    this.#context = context;
  }

  async run(): Promise<void> {
    const { read, now, log, outage } = this.#context;
    while (!this.#isStopped && this.#inFlight.size < IN_FLIGHT_MAX) {
      const message = await dueMessage(read, now(), [...this.#inFlight.keys()]);
      if (message === undefined) return;
      const carrier = await this.#claim(message);
      if (carrier === null) continue;
      const work = attempt(this.#context, message, carrier)
        .catch((error: unknown) => {
          if (!outage.explains(error)) log.error({ err: error, messageId: message.id }, 'a text could not be sent');
        })
        .finally(() => this.#inFlight.delete(message.id));
      this.#inFlight.set(message.id, work);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.settled();
  }

  /** Resolves when no carrier is being asked. */
  async settled(): Promise<void> {
    await Promise.all(this.#inFlight.values());
  }

  /** Null: it is not to be sent, or another process sends it. */
  async #claim(message: MessageTable): Promise<Sending | null> {
    const { db, now } = this.#context;
    return transact(db, CONVERSATIONS, async (tx) => {
      const nowMs = now();
      const conversation = await getConversation(tx, message.accountId, message.conversationId);
      const fail = async (error: string): Promise<null> => {
        await updateMessage(tx, message, { ...OVER, status: 'failed', error, doneAt: nowMs });
        return null;
      };
      if (conversation === undefined) return fail('The conversation was erased');
      const row = await carrierOfNumber(tx, message.accountId, conversation.ownNumber);
      if (row === null) return fail('The number is at no carrier that sends texts');
      // Said since it was written.
      const optedOut = await optedOutAt(tx, conversation);
      if (message.status === 'waiting' && optedOut !== null && optedOut > message.createdAt)
        return fail('The person wants no texts');
      const untilMs = nowMs + ATTENDED_MS;
      return (await claimMessage(tx, message, { carrierId: row.id, untilMs })) ? { row, conversation } : null;
    });
  }
}

const OVER = { dueAt: null, sealed: null } as const;

interface Sending {
  row: CarrierRow;
  conversation: ConversationTable;
}

async function attempt(context: ApiContext, message: MessageTable, { row, conversation }: Sending): Promise<void> {
  const { db, now, secretKey, config } = context;
  try {
    const id = await sendOnce(context, message, { row, conversation });
    await transact(db, CONVERSATIONS, async (tx) => {
      const nowMs = now();
      const current = await getMessage(tx, message.accountId, message.id);
      // Its status has come before the answer, or it was erased meanwhile.
      if (current === undefined || current.reference !== null) return;
      const sent = { ...OVER, status: 'sent' as const, reference: id, error: null, doneAt: nowMs };
      const changed = await updateMessage(tx, message, sent);
      if (changed !== null) await tellOfSent(tx, changed, nowMs);
    });
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    const nowMs = now();
    const canAsk = openCarrier(row, { secretKey, apiBase: config.carrierApiBase }).texts.find !== null;
    const isLost = error.mayBeDone && error.code === 'CARRIER_UNAVAILABLE';
    const delayMs = RETRY_DELAYS_MS[message.attempts];
    const isFinal = error.code === 'CARRIER_REFUSED' || delayMs === undefined || (isLost && !canAsk);
    const told = isLost && !canAsk ? NOT_KNOWN : error.message;
    await transact(db, CONVERSATIONS, async (tx) => {
      const current = await getMessage(tx, message.accountId, message.id);
      if (current === undefined || current.reference !== null) return;
      const again = {
        error: told,
        status: isLost ? ('sending' as const) : ('waiting' as const),
        dueAt: nowMs + (delayMs ?? 0),
      };
      const over = { ...OVER, status: 'failed' as const, error: told, doneAt: nowMs };
      await updateMessage(tx, message, isFinal ? over : again);
    });
  }
}

/** The carrier's id. `sending`: an earlier request may have sent it. @throws {CarrierError} */
async function sendOnce(context: ApiContext, message: MessageTable, { row, conversation }: Sending): Promise<string> {
  const { read, secretKey, config, publicUrl } = context;
  const { texts } = openCarrier(row, { secretKey, apiBase: config.carrierApiBase });
  const { ownNumber: from, personNumber: to, id } = conversation;
  const text = message.sealed === null ? message.text : unseal(secretKey, messageContext(id), message.sealed);
  if (message.status === 'sending') {
    if (texts.find === null) throw new CarrierError('CARRIER_REFUSED', NOT_KNOWN);
    const isKnown = async (reference: string) => (await messageOfCarrier(read, row.id, reference)) !== null;
    const found = await texts.find({ from, to, text, sinceMs: message.createdAt, isKnown });
    if (found !== null) return found;
  }
  const url = textsUrl(publicUrl(), row.id);
  return texts.send({ from, to, text, reference: message.id, url }, JSON.parse(row.textParts ?? '{}') as TextParts);
}
