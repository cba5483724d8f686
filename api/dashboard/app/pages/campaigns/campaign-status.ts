// The statuses of campaigns and contacts, and the tone of the badge of each.
import type { Campaign, Contact } from '../../api-types.ts';
import type { Tone } from '../../ui/layout.tsx';

export const CAMPAIGN_TONES: Record<Campaign['status'], Tone> = {
  DRAFT: 'neutral',
  SCHEDULED: 'neutral',
  RUNNING: 'live',
  PAUSED: 'warn',
  COMPLETED: 'good',
  FAILED: 'bad',
};

export const CAMPAIGN_STATUSES = Object.keys(CAMPAIGN_TONES) as Array<Campaign['status']>;

export const CONTACT_TONES: Record<Contact['status'], Tone> = {
  PENDING: 'neutral',
  CALLING: 'live',
  COMPLETED: 'good',
  VOICEMAIL: 'good',
  FAILED: 'bad',
  DO_NOT_CALL: 'warn',
};

export const CONTACT_STATUSES = Object.keys(CONTACT_TONES) as Array<Contact['status']>;
