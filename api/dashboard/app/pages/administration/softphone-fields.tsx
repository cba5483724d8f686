// The fields of a softphone, shared by the page of a new one and the page that changes one.
import * as LIMITS from '../../api-limits.ts';
import type { SipAccount } from '../../api-types.ts';
import type { Form } from '../../form.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { CampaignField } from '../../ui/fields/record-field.tsx';
import { t } from '../../words/words.ts';

export interface SoftphoneValues {
  username: string;
  displayName: string;
  callsTo: string | null;
}

export const SOFTPHONE_FIELDS = ['username', 'displayName', 'callsTo'];

export const softphoneValuesOf = ({ username, displayName, callsTo }: SipAccount): SoftphoneValues => ({
  username,
  displayName: displayName ?? '',
  callsTo,
});

/** The body for the interface: an empty name becomes null. */
export const softphoneBodyOf = ({ displayName, ...others }: Partial<SoftphoneValues>) => ({
  ...others,
  ...(displayName === undefined ? {} : { displayName: displayName.trim() === '' ? null : displayName.trim() }),
});

export function SoftphoneFields({ form: { field } }: { form: Form<SoftphoneValues> }) {
  return (
    <>
      <TextField
        label={t('User name')}
        hint={t('Letters, digits, _ and -. A business transfers to it as sip:USERNAME.')}
        required
        autocomplete="off"
        placeholder="reception"
        limits={LIMITS.CreateSipAccountBody.username}
        {...field('username')}
      />
      <TextField
        label={t('Name')}
        hint={t("What its calls show as the caller's name")}
        placeholder={t('Front desk')}
        limits={LIMITS.CreateSipAccountBody.displayName}
        {...field('displayName')}
      />
      <CampaignField
        label={t('Its calls go to')}
        hint={t('Whatever it dials')}
        none={t('Nobody: it can be called, and calls nobody')}
        special={[{ value: 'demo', text: t('The demo') }]}
        {...field('callsTo')}
      />
    </>
  );
}
