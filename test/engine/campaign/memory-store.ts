// The dialler's tables as plain objects, under the same contract as the queries: what is due, what a claim refuses,
// how a call's end changes its contact. Fast enough for ten thousand contacts and thirty days in seconds.

import type { TrunkLimits } from '../../../bench/rig/rows/campaign-tables.ts';
import { nextCallableAt } from '../../../db/domain/hours/window-of-contact.ts';
import type { CallingNumber, DiallingCampaign, DiallingSnapshot } from '../../../db/queries/dialling/due.ts';
import { callingWindow } from '../../../db/records/resources.ts';
import type { ClaimRefusal } from '../../../db/rules/dial-claims.ts';
import type { CampaignTable, ContactStatus } from '../../../db/schema/campaigns.ts';
import type { Plan, PlannedAttempt } from '../../../engine/campaign/planner.ts';
import { type AttemptEnd, retryRule } from '../../../engine/campaign/retry.ts';

interface MemoryContact {
  id: string;
  campaignId: string;
  phoneNumber: string;
  status: ContactStatus;
  attempts: number;
  nextAttemptAt: number | null;
}

interface MemoryCampaign {
  row: CampaignTable;
  numbers: CallingNumber[];
  /** Never tried, or deferred; entries whose contact has moved on since are skipped. */
  fresh: MemoryContact[];
  /** By time. */
  promised: Array<{ at: number; contact: MemoryContact }>;
  unfinished: number;
  placed: number;
  completions: number;
}

interface OpenCall {
  callId: string;
  campaignId: string;
  contactId: string;
  accountId: string;
  trunkId: string;
  toNumber: string;
  fromNumber: string;
}

const DUE_MAX = 100;
const NUMBER_BUSY_RETRY_MS = 60_000;

export class MemoryStore {
  readonly campaigns = new Map<string, MemoryCampaign>();
  readonly contacts = new Map<string, MemoryContact>();
  readonly trunks = new Map<string, TrunkLimits>();
  readonly open = new Map<string, OpenCall>();
  /** `accountId number`. */
  readonly listed = new Set<string>();
  #serial = 0;

  add(row: CampaignTable, numbers: CallingNumber[], phoneNumbers: readonly string[]): void {
    const contacts = phoneNumbers.map(
      (phoneNumber, i): MemoryContact => ({
        id: `${row.id}_${i}`,
        campaignId: row.id,
        phoneNumber,
        status: 'PENDING',
        attempts: 0,
        nextAttemptAt: null,
      }),
    );
    this.campaigns.set(row.id, {
      row,
      numbers,
      fresh: [...contacts],
      promised: [],
      unfinished: contacts.length,
      placed: 0,
      completions: 0,
    });
    for (const contact of contacts) this.contacts.set(contact.id, contact);
  }

  #isListed(row: CampaignTable, phoneNumber: string): boolean {
    return this.listed.has(`${row.accountId} ${phoneNumber}`);
  }

  #set(contact: MemoryContact, status: ContactStatus, nextAttemptAt: number | null): void {
    const campaign = this.campaigns.get(contact.campaignId);
    if (!campaign) return;
    const isOpen = (name: ContactStatus) => name === 'PENDING' || name === 'CALLING';
    campaign.unfinished += Number(isOpen(status)) - Number(isOpen(contact.status));
    Object.assign(contact, { status, nextAttemptAt });
    if (status !== 'PENDING' || nextAttemptAt === null) return;
    const { promised } = campaign;
    let [low, high] = [0, promised.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((promised[middle]?.at ?? 0) <= nextAttemptAt) low = middle + 1;
      else high = middle;
    }
    promised.splice(low, 0, { at: nextAttemptAt, contact });
  }

  /** Due contacts, and when the next of the others is due. */
  #dueOf({ fresh, promised }: MemoryCampaign, nowMs: number): { due: MemoryContact[]; nextDueAt: number | null } {
    const isWaiting = ({ at, contact }: { at: number | null; contact: MemoryContact }): boolean =>
      contact.status === 'PENDING' && contact.nextAttemptAt === at;
    while (promised[0] && !isWaiting(promised[0])) promised.shift();
    while (fresh[0] && !isWaiting({ at: null, contact: fresh[0] })) fresh.shift();
    const due: MemoryContact[] = [];
    let nextDueAt: number | null = null;
    for (const entry of promised) {
      if (!isWaiting(entry)) continue;
      if (entry.at > nowMs) {
        nextDueAt = entry.at;
        break;
      }
      if (due.length === DUE_MAX) break;
      due.push(entry.contact);
    }
    for (const contact of fresh) {
      if (due.length === DUE_MAX) break;
      if (isWaiting({ at: null, contact })) due.push(contact);
    }
    return { due, nextDueAt };
  }

  snapshot(nowMs: number): DiallingSnapshot {
    const trunkCalls = new Map<string, number>();
    const running = new Map<string, number>();
    for (const { trunkId, campaignId } of this.open.values()) {
      trunkCalls.set(trunkId, (trunkCalls.get(trunkId) ?? 0) + 1);
      running.set(campaignId, (running.get(campaignId) ?? 0) + 1);
    }
    const campaigns: DiallingCampaign[] = [];
    let hasFinished = false;
    for (const campaign of this.campaigns.values()) {
      const { row, numbers, placed } = campaign;
      if (row.status !== 'RUNNING') continue;
      const calls = running.get(row.id) ?? 0;
      if (campaign.unfinished === 0 && calls === 0) hasFinished = true;
      // Like the queries: a full campaign is checked again when one of its calls ends.
      const isFull = calls >= row.maxConcurrentCalls;
      const { due, nextDueAt } = isFull ? { due: [], nextDueAt: null } : this.#dueOf(campaign, nowMs);
      campaigns.push({
        ...row,
        timezone: 'UTC',
        numbers,
        running: calls,
        placed,
        held: null,
        pending: due.length,
        due: due.map(({ id, phoneNumber }) => ({ id, phoneNumber, isListed: this.#isListed(row, phoneNumber) })),
        hasMoreDue: due.length >= DUE_MAX,
        nextDueAt,
      });
    }
    return { campaigns, accountRooms: new Map(), trunkCalls, nextStartAt: null, hasFinished, hasTrunk: true };
  }

  putAside(plan: Plan): void {
    const waiting = (id: string): MemoryContact | null => {
      const contact = this.contacts.get(id);
      return contact?.status === 'PENDING' ? contact : null;
    };
    for (const id of plan.excluded) {
      const contact = waiting(id);
      if (contact) this.#set(contact, 'DO_NOT_CALL', null);
    }
    for (const { id, nextAttemptAt } of plan.deferrals) {
      const contact = waiting(id);
      if (contact) this.#set(contact, nextAttemptAt === null ? 'FAILED' : 'PENDING', nextAttemptAt);
    }
  }

  claim(attempt: PlannedAttempt, nowMs: number): OpenCall | ClaimRefusal {
    const campaign = this.campaigns.get(attempt.campaignId);
    const contact = this.contacts.get(attempt.contactId);
    if (campaign?.row.status !== 'RUNNING') return 'not_running';
    if (contact?.status !== 'PENDING' || (contact.nextAttemptAt ?? 0) > nowMs) return 'not_due';
    const { row } = campaign;
    if (this.#isListed(row, contact.phoneNumber)) {
      this.#set(contact, 'DO_NOT_CALL', null);
      return 'do_not_call';
    }
    const calls = [...this.open.values()];
    if (calls.some((call) => call.accountId === row.accountId && call.toNumber === contact.phoneNumber)) {
      this.#set(contact, 'PENDING', nowMs + NUMBER_BUSY_RETRY_MS);
      return 'number_busy';
    }
    const number = campaign.numbers.find(({ id }) => id === attempt.phoneNumberId);
    if (!number) return 'number_gone';
    if (calls.filter((call) => call.campaignId === row.id).length >= row.maxConcurrentCalls) return 'campaign_full';
    const limits = this.trunks.get(attempt.trunkId);
    const onTrunk = calls.filter((call) => call.trunkId === attempt.trunkId).length;
    if (!limits || onTrunk >= limits.maxConcurrentCalls) return 'trunk_full';
    this.#set(contact, 'CALLING', null);
    contact.attempts++;
    campaign.placed++;
    const call: OpenCall = {
      callId: `call_${++this.#serial}`,
      campaignId: row.id,
      contactId: contact.id,
      accountId: row.accountId,
      trunkId: attempt.trunkId,
      toNumber: contact.phoneNumber,
      fromNumber: number.phoneNumber,
    };
    this.open.set(call.callId, call);
    return call;
  }

  /** Ends a call, once; its contact follows the product's own rule. */
  end(callId: string, end: AttemptEnd): boolean {
    const call = this.open.get(callId);
    const contact = this.contacts.get(call?.contactId ?? '');
    const campaign = this.campaigns.get(call?.campaignId ?? '');
    if (!call || !contact || !campaign || !this.open.delete(callId)) return false;
    // An opt-out during the call outlives its end.
    if (contact.status !== 'CALLING') return true;
    const next = retryRule(end, { ...campaign.row, attempts: contact.attempts });
    const at =
      next.nextAttemptAt === null
        ? null
        : nextCallableAt(callingWindow(campaign.row), contact.phoneNumber, 'UTC', next.nextAttemptAt);
    this.#set(contact, next.nextAttemptAt !== null && at === null ? 'FAILED' : next.status, at);
    return true;
  }

  optOut(accountId: string, phoneNumber: string): void {
    this.listed.add(`${accountId} ${phoneNumber}`);
    for (const contact of this.contacts.values()) {
      const row = this.campaigns.get(contact.campaignId)?.row;
      if (row?.accountId === accountId && contact.phoneNumber === phoneNumber) this.#set(contact, 'DO_NOT_CALL', null);
    }
  }

  settle(nowMs: number): void {
    for (const campaign of this.campaigns.values()) {
      const { row } = campaign;
      const isOnCall = [...this.open.values()].some((call) => call.campaignId === row.id);
      if (row.status !== 'RUNNING' || campaign.unfinished > 0 || isOnCall) continue;
      Object.assign(row, { status: 'COMPLETED', completedAt: nowMs });
      campaign.completions++;
    }
  }
}
