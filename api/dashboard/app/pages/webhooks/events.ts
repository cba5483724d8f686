// The webhook events in words, the most used first.
import type { CreateWebhookBody, Webhook } from '../../api-types.ts';
import { t, words } from '../../words/words.ts';

export type EventType = CreateWebhookBody['events'][number];

export const EVENT_GROUPS: ReadonlyArray<{ title: string; events: ReadonlyArray<[EventType, string]> }> = [
  {
    title: words('Calls'),
    events: [
      ['call.received', words('An inbound or browser call has arrived')],
      ['call.started', words('An outbound call is being placed')],
      ['call.ended', words('A call has ended, answered or not: with transcript and summary')],
      ['call.failed', words('Beside call.ended: nobody answered, or it broke down')],
      ['call.voicemail', words('Beside call.ended: an answering machine took it')],
      ['call.transferred', words('The caller was handed to a person')],
      ['call.language_changed', words('A call goes on in another language')],
      ['call.resumed', words('A call went on after its engine had died or was replaced')],
    ],
  },
  {
    title: words('Results'),
    events: [
      ['call.analysed', words('What you want to know of a call was found after its end')],
      ['appointment.scheduled', words('An appointment was booked on a call')],
      ['appointment.changed', words('An appointment was moved, cancelled or booked again')],
      ['contact.opted_out', words('A contact asked not to be called again')],
      ['campaign.completed', words('Every contact of a campaign has been dealt with')],
    ],
  },
  {
    title: words('Numbers'),
    events: [['port-order.status_changed', words('A port-in order has changed its status')]],
  },
  {
    title: words('Versions'),
    events: [['canary.ended', words('A version that led a share of the calls was published, or has gone back')]],
  },
  {
    title: words('Account'),
    events: [['account.spend_limit', words('The outbound minutes of an hour or a day have reached a limit')]],
  },
];

export const ALL_EVENTS: readonly EventType[] = EVENT_GROUPS.flatMap(({ events }) => events.map(([type]) => type));

const DISABLED: Record<NonNullable<Webhook['disabledReason']>, string> = {
  gone: words('The receiver answered 410 Gone, so the service stopped delivering.'),
  failing: words('Every attempt of five days failed, so the service stopped delivering.'),
};

/** Why nothing is delivered; null for an active webhook. */
export function pauseReason({ isActive, disabledReason }: Pick<Webhook, 'isActive' | 'disabledReason'>): string | null {
  if (isActive) return null;
  return disabledReason === null ? t('It is switched off.') : t(DISABLED[disabledReason]);
}

/** `example.com/hooks/voice`. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\//, '');
