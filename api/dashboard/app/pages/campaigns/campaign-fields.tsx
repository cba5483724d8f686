// The fields of a campaign, for the steps of a new one and for the settings of an existing one.

import { CAMPAIGN_DEFAULTS } from '../../../../../db/domain/campaign-defaults.ts';
import { WEEKDAYS } from '../../../../../db/domain/hours/weekdays.ts';
import * as LIMITS from '../../api-limits.ts';
import type { Campaign, PhoneNumber } from '../../api-types.ts';
import type { Form } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { Checkbox, NumberField, Select, TextArea, TextField } from '../../ui/fields/field.tsx';
import { TimeZoneField } from '../../ui/fields/time-zone-field.tsx';
import { Card, Notice } from '../../ui/layout.tsx';
import { Placeholders } from '../../ui/placeholders.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { dayNames } from '../../weekdays.ts';
import { t } from '../../words/words.ts';
import type { CampaignValues } from './campaign-form.ts';

interface PartProps {
  form: Form<CampaignValues>;
}

export function NumbersField({
  form,
  numbers,
  campaignId,
}: PartProps & { numbers: readonly PhoneNumber[]; campaignId: string | null }) {
  const { values, set, faultOf } = form;
  const campaigns = useAll('listCampaigns').answer ?? [];
  const fault = faultOf('phoneNumberIds', true);
  if (numbers.length === 0)
    return (
      <Notice>
        <span>{t('You have no phone number yet. A campaign can be made without one, and not be started.')}</span>
        <a href={link('/phone-numbers')}>{t('To the phone numbers')}</a>
      </Notice>
    );
  return (
    <fieldset class="stack tight" aria-label={t('Phone numbers')}>
      {numbers.map(({ id, phoneNumber, campaignId: served, isActive }) => (
        <Checkbox
          key={id}
          label={phoneNumber}
          {...serviceOf(
            isActive,
            served === campaignId ? null : served,
            campaigns.find((campaign) => campaign.id === served && served !== campaignId),
            values.phoneNumberIds.includes(id),
          )}
          value={values.phoneNumberIds.includes(id)}
          onChange={(on) =>
            set(
              'phoneNumberIds',
              on ? [...values.phoneNumberIds, id] : values.phoneNumberIds.filter((each) => each !== id),
            )
          }
        />
      ))}
      {fault !== undefined && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </fieldset>
  );
}

/** The service of a number that is chosen, and whether it can be. */
function serviceOf(
  isActive: boolean,
  otherId: string | null,
  other: Campaign | undefined,
  isChosen: boolean,
): { hint?: string; disabled?: boolean } {
  // The service refuses to take a number from these.
  if (other?.status === 'RUNNING' || other?.status === 'SCHEDULED') {
    const hint =
      other.status === 'RUNNING'
        ? t('Serves {name}, which is running: pause that campaign first.', { name: other.name })
        : t('Serves {name}, which starts by itself: pause that campaign first.', { name: other.name });
    return { hint, disabled: !isChosen };
  }
  if (!isActive) return { hint: t('Inactive: it neither answers nor is shown.') };
  if (otherId === null) return {};
  return { hint: t('Serves {name} now: choosing it moves it here.', { name: other?.name ?? t('another campaign') }) };
}

export function WindowCard({ form }: PartProps) {
  const { values, set, faultOf } = form;
  const { window } = values;
  const change = (part: Partial<CampaignValues['window']>) => set('window', { ...window, ...part });
  const names = dayNames('long');
  const overnight = window.end !== '' && window.start !== '' && window.end < window.start;
  return (
    <Card title={t('When contacts are called')}>
      <fieldset class="row" aria-label={t('Days')}>
        {WEEKDAYS.map((day) => (
          <Checkbox
            key={day}
            label={names[day]}
            value={window.days.includes(day)}
            onChange={(on) =>
              change({ days: WEEKDAYS.filter((each) => (each === day ? on : window.days.includes(each))) })
            }
          />
        ))}
      </fieldset>
      {faultOf('callingWindow.days', true) !== undefined && (
        <span class="fault" role="alert">
          {faultOf('callingWindow.days', true)}
        </span>
      )}
      <div class="parts two">
        <TextField
          label={t('From')}
          type="time"
          fault={faultOf('callingWindow.start')}
          value={window.start}
          onChange={(start) => change({ start })}
          required
        />
        <TextField
          label={t('To')}
          type="time"
          hint={overnight ? t('Past midnight.') : undefined}
          fault={faultOf('callingWindow.end')}
          value={window.end}
          onChange={(end) => change({ end })}
          required
        />
      </div>
      <TimeZoneField
        hint={window.timezone === '' ? t('Empty: where the called number rings.') : undefined}
        fault={faultOf('callingWindow.timezone')}
        value={window.timezone}
        onChange={(timezone) => change({ timezone })}
        placeholder={t('Where the number rings')}
      />
    </Card>
  );
}

/** @param most that the installation carries; null: unknown */
function callsHint(wanted: number | null, most: number | null): string {
  const ends = t('Default {value}', { value: CAMPAIGN_DEFAULTS.maxConcurrentCalls });
  if (most === null) return `${t('Trunk and service have limits of their own.')} ${ends}`;
  const count = formatNumber(most);
  const isMore = (wanted ?? CAMPAIGN_DEFAULTS.maxConcurrentCalls) > most;
  return isMore
    ? `${t('More than this installation carries: {count} at a time, of all campaigns and callers.', { count })} ${ends}`
    : `${t('This installation carries {count} at a time, of all campaigns and callers; a trunk may carry less.', { count })} ${ends}`;
}

export function LimitsCard({ form }: PartProps) {
  const { values, set, field } = form;
  const most = useApi('getOverview', { query: { days: 1 } }).answer?.data.maxCalls ?? null;
  return (
    <Card title={t('How many, how often')}>
      <NumberField
        label={t('Calls at a time')}
        hint={callsHint(values.maxConcurrentCalls, most)}
        {...field('maxConcurrentCalls')}
        placeholder={String(CAMPAIGN_DEFAULTS.maxConcurrentCalls)}
        limits={LIMITS.CreateCampaignBody.maxConcurrentCalls}
      />
      <NumberField
        label={t('Attempts a contact')}
        hint={`${t('Busy or no answer is tried again, a wrong number is not.')} ${t('Default {value}', { value: CAMPAIGN_DEFAULTS.maxAttempts })}`}
        {...field('maxAttempts')}
        placeholder={String(CAMPAIGN_DEFAULTS.maxAttempts)}
        limits={LIMITS.CreateCampaignBody.maxAttempts}
      />
      <NumberField
        label={t('Minutes between attempts')}
        hint={t('Default {value}', { value: CAMPAIGN_DEFAULTS.retryDelayMinutes })}
        {...field('retryDelayMinutes')}
        placeholder={String(CAMPAIGN_DEFAULTS.retryDelayMinutes)}
        limits={LIMITS.CreateCampaignBody.retryDelayMinutes}
      />
      <Checkbox
        label={t('Record calls')}
        value={values.recording.enabled}
        onChange={(enabled) => set('recording', { ...values.recording, enabled })}
      />
      {values.recording.enabled && (
        <Select
          label={t('Format of recordings')}
          hint={t('MP3 is encoded after the call, and a tenth of the size.')}
          value={values.recording.format}
          onChange={(format) => set('recording', { ...values.recording, format })}
          choices={[
            { value: 'wav', text: 'WAV' },
            { value: 'mp3', text: 'MP3' },
          ]}
        />
      )}
      <Select
        label={t('When somebody listens in')}
        hint={t('What the caller hears as the first one begins to listen.')}
        value={values.listeningNotice}
        onChange={(listeningNotice) => set('listeningNotice', listeningNotice)}
        choices={[
          { value: 'none', text: t('Nothing') },
          { value: 'tone', text: t('A tone') },
          { value: 'announcement', text: t('An announcement') },
        ]}
      />
    </Card>
  );
}

export function TextsCard({ form }: PartProps) {
  const { values, set, faultOf, field } = form;
  const { voicemail } = values;
  return (
    <Card title={t('What is said')}>
      <TextArea
        label={t('Greeting')}
        hint={t("Said first, in place of the business's. Empty: the business's.")}
        {...field('greetingTemplate')}
        placeholder={t('Hello {{firstName}}, this is {{agentName}} from {{businessName}}.')}
        rows={2}
        limits={LIMITS.CreateCampaignBody.greetingTemplate}
      />
      <TextArea
        label={t('Instructions')}
        hint={t("Why it calls. Added to the business's prompt; the built-in receptionist ignores it.")}
        {...field('instructions')}
        placeholder={t('Remind {{firstName}} of the check-up that is due by {{dueDate}}, and offer to book it.')}
        limits={LIMITS.CreateCampaignBody.instructions}
      />
      <Placeholders />
      <Select
        label={t('When an answering machine picks up')}
        value={voicemail.action}
        onChange={(action) => set('voicemail', { ...voicemail, action })}
        choices={[
          { value: 'hangup', text: t('Hang up') },
          { value: 'leave_message', text: t('Leave a message after the beep') },
        ]}
      />
      {voicemail.action === 'leave_message' && (
        <TextArea
          label={t('Message')}
          fault={faultOf('voicemail.message')}
          value={voicemail.message}
          onChange={(message) => set('voicemail', { ...voicemail, message })}
          placeholder={t('Your check-up is due by {{dueDate}}. Please call us back.')}
          rows={2}
          limits={LIMITS.CreateCampaignBody.voicemail.message}
        />
      )}
    </Card>
  );
}
