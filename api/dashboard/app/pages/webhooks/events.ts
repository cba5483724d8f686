// The webhook events in words, the most used first.
import type { CreateWebhookBody, Webhook } from '../../api-types.ts';

export type EventType = CreateWebhookBody['events'][number];

export const EVENT_GROUPS: ReadonlyArray<{ title: string; events: ReadonlyArray<[EventType, string]> }> = [
  {
    title: 'Calls',
    events: [
      ['call.received', 'An inbound or browser call has arrived'],
      ['call.started', 'An outbound call is being placed'],
      ['call.ended', 'A call has ended, answered or not: with transcript and summary'],
      ['call.failed', 'Beside call.ended: nobody answered, or it broke down'],
      ['call.voicemail', 'Beside call.ended: an answering machine took it'],
      ['call.transferred', 'The caller was handed to a person'],
      ['call.language_changed', 'A call goes on in another language'],
      ['call.resumed', 'A call went on after its engine had died or was replaced'],
    ],
  },
  {
    title: 'Results',
    events: [
      ['call.analysed', 'What you want to know of a call was found after its end'],
      ['appointment.scheduled', 'An appointment was booked on a call'],
      ['appointment.changed', 'An appointment was moved, cancelled or booked again'],
      ['contact.opted_out', 'A contact asked not to be called again'],
      ['campaign.completed', 'Every contact of a campaign has been dealt with'],
    ],
  },
  {
    title: 'Numbers',
    events: [['port-order.status_changed', 'A port-in order has changed its status']],
  },
  {
    title: 'Versions',
    events: [['canary.ended', 'A version that led a share of the calls was published, or has gone back']],
  },
  {
    title: 'Account',
    events: [['account.spend_limit', 'The outbound minutes of an hour or a day have reached a limit']],
  },
];

export const ALL_EVENTS: readonly EventType[] = EVENT_GROUPS.flatMap(({ events }) => events.map(([type]) => type));

const DISABLED: Record<NonNullable<Webhook['disabledReason']>, string> = {
  gone: 'The receiver answered 410 Gone, so the service stopped delivering.',
  failing: 'Every attempt of five days failed, so the service stopped delivering.',
};

/** Why nothing is delivered; null for an active webhook. */
export function pauseReason({ isActive, disabledReason }: Pick<Webhook, 'isActive' | 'disabledReason'>): string | null {
  if (isActive) return null;
  return disabledReason === null ? 'It is switched off.' : DISABLED[disabledReason];
}

/** `example.com/hooks/voice`. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\//, '');
