// Converts a campaign to the values of its form, and back to a body.
import { CAMPAIGN_DEFAULTS, DEFAULT_CALLING_WINDOW } from '../../../../../db/domain/campaign-defaults.ts';
import { WEEKDAYS, type Weekday } from '../../../../../db/domain/hours/weekdays.ts';
import type { Campaign, UpdateCampaignBody } from '../../api-types.ts';
import { refuseFaults } from '../../field-faults.ts';
import { localTime } from '../../format.ts';
import { type Criterion, type OutputRow, outputFaults, outputRows, outputsOf } from '../../results/wishes.ts';
import { type DestinationRow, destinationRows, destinationsOf } from '../../transfers/destination-rows.ts';
import { t } from '../../words/words.ts';

export interface CampaignValues {
  name: string;
  description: string;
  agentId: string;
  businessId: string;
  phoneNumberIds: string[];
  /** In the format of `<input type="datetime-local">`, in the reader's zone; empty: started by hand. */
  scheduledAt: string;
  /** An empty zone: the zone of the called number. */
  window: { days: Weekday[]; start: string; end: string; timezone: string };
  /** Null: the default. */
  maxConcurrentCalls: number | null;
  maxAttempts: number | null;
  retryDelayMinutes: number | null;
  greetingTemplate: string;
  instructions: string;
  voicemail: { action: 'hangup' | 'leave_message'; message: string };
  recording: { enabled: boolean; format: 'wav' | 'mp3' };
  listeningNotice: Campaign['listeningNotice'];
  toolIds: string[];
  outputs: OutputRow[];
  destinations: DestinationRow[];
  criteria: Criterion[];
  split: SplitRow[];
}

export interface SplitRow {
  /** Empty: none is chosen yet. */
  version: string;
  /** Per cent of the calls. */
  share: number | null;
}

/** Sent as they are. */
const PLAIN = [
  'name',
  'agentId',
  'businessId',
  'phoneNumberIds',
  'recording',
  'listeningNotice',
  'toolIds',
  'criteria',
] as const;
const LIMITS = Object.keys(CAMPAIGN_DEFAULTS) as Array<keyof typeof CAMPAIGN_DEFAULTS>;

export const NEW_CAMPAIGN: CampaignValues = {
  name: '',
  description: '',
  agentId: '',
  businessId: '',
  phoneNumberIds: [],
  scheduledAt: '',
  window: { ...DEFAULT_CALLING_WINDOW, timezone: '' },
  maxConcurrentCalls: null,
  maxAttempts: null,
  retryDelayMinutes: null,
  greetingTemplate: '',
  instructions: '',
  voicemail: { action: 'hangup', message: '' },
  recording: { enabled: true, format: 'wav' },
  listeningNotice: 'none',
  toolIds: [],
  outputs: [],
  destinations: [],
  criteria: [],
  split: [],
};

export function valuesOfCampaign(campaign: Campaign): CampaignValues {
  const { name, agentId, businessId, phoneNumberIds, callingWindow, voicemail, recording, toolIds, criteria } =
    campaign;
  return {
    name,
    description: campaign.description ?? '',
    agentId,
    businessId,
    phoneNumberIds,
    scheduledAt: campaign.scheduledAt === null ? '' : localTime(campaign.scheduledAt),
    window: {
      days: WEEKDAYS.filter((day) => callingWindow.days.includes(day)),
      start: callingWindow.start,
      end: callingWindow.end,
      timezone: callingWindow.timezone ?? '',
    },
    maxConcurrentCalls: campaign.maxConcurrentCalls,
    maxAttempts: campaign.maxAttempts,
    retryDelayMinutes: campaign.retryDelayMinutes,
    greetingTemplate: campaign.greetingTemplate ?? '',
    instructions: campaign.instructions ?? '',
    voicemail: { action: voicemail.action, message: voicemail.message ?? '' },
    recording,
    listeningNotice: campaign.listeningNotice,
    toolIds,
    outputs: outputRows(campaign.outputs),
    destinations: destinationRows(campaign.destinations),
    criteria,
    split: campaign.split.map(({ version, share }) => ({ version: String(version), share })),
  };
}

/** @throws {ApiError} for what the form itself finds wrong */
export function campaignBodyOf(changes: Partial<CampaignValues>): UpdateCampaignBody {
  const body: UpdateCampaignBody = {};
  for (const name of PLAIN) {
    if (changes[name] !== undefined) Object.assign(body, { [name]: changes[name] });
  }
  for (const name of ['description', 'greetingTemplate', 'instructions'] as const) {
    const text = changes[name];
    if (text !== undefined) body[name] = text.trim() === '' ? null : text;
  }
  for (const name of LIMITS) {
    const value = changes[name];
    if (value !== undefined) body[name] = value ?? CAMPAIGN_DEFAULTS[name];
  }
  const { scheduledAt, window, voicemail } = changes;
  if (scheduledAt !== undefined) body.scheduledAt = scheduledAt === '' ? null : new Date(scheduledAt).toISOString();
  if (window !== undefined) {
    const { timezone, ...rest } = window;
    body.callingWindow = { ...rest, timezone: timezone === '' ? null : timezone };
  }
  if (voicemail !== undefined) {
    body.voicemail = { action: voicemail.action, message: voicemail.message.trim() === '' ? null : voicemail.message };
  }
  if (changes.outputs !== undefined) {
    refuseFaults(outputFaults(changes.outputs));
    body.outputs = outputsOf(changes.outputs);
  }
  if (changes.split !== undefined) {
    refuseFaults(
      changes.split.flatMap(({ version }, index) =>
        version === '' ? [{ field: `split[${index}].version`, message: t('is missing') }] : [],
      ),
    );
    body.split = changes.split.map(({ version, share }) => ({ version: Number(version), share: share ?? 0 }));
  }
  if (changes.destinations !== undefined) body.destinations = destinationsOf(changes.destinations);
  return body;
}
