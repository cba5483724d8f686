// The statuses of campaigns and contacts, and the tone of the badge of each.
import type { Campaign, Contact } from '../../api-types.ts';
import type { Tone } from '../../ui/layout.tsx';
import { words } from '../../words/words.ts';

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

export const CONTACT_WORDS: Record<Contact['status'], string> = {
  PENDING: words('Pending'),
  CALLING: words('Calling'),
  COMPLETED: words('Completed'),
  VOICEMAIL: words('Voicemail'),
  FAILED: words('Failed'),
  DO_NOT_CALL: words('Do not call'),
};

export const CAMPAIGN_WORDS: Record<Campaign['status'], string> = {
  DRAFT: words('Draft'),
  SCHEDULED: words('Scheduled'),
  RUNNING: words('Running'),
  PAUSED: words('Paused'),
  COMPLETED: words('Completed'),
  FAILED: words('Failed'),
};
