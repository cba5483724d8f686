// Limits on the spending of all accounts together, and on the share that one may take beside others.
import * as LIMITS from '../../api-limits.ts';
import type { Settings, SpendLimits } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { NumberField } from '../../ui/fields/field.tsx';
import { Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { SPEND_FIELDS, SpendFields } from './spend-fields.tsx';

export default function LimitsPage() {
  const settings = useApi('getSettings', {});
  return (
    <Page
      title={t('Limits')}
      lead={t(
        'Outbound minutes of all accounts together, transfers included: past an alarm the administrators are told, past a stop nobody is called.',
      )}
    >
      <Answer of={settings}>{({ data }) => <LimitsForm settings={data} />}</Answer>
    </Page>
  );
}

type Values = SpendLimits & Pick<Settings, 'callShare'>;

function LimitsForm({ settings: { spendLimits, callShare } }: { settings: Settings }) {
  const form = useForm<Values>({ ...spendLimits, callShare }, async ({ changes, values, rebase }) => {
    const { callShare: share, ...limits } = changes;
    await call('updateSettings', {
      body: {
        ...(share === undefined ? {} : { callShare: share }),
        ...(Object.keys(limits).length === 0 ? {} : { spendLimits: limits }),
      },
    });
    rebase(values);
    say(t('Saved'));
  });
  useUnsaved(form.isChanged);
  return (
    <SubmitForm form={form} shown={[...SPEND_FIELDS, 'callShare']} send={t('Save')} disabled={!form.isChanged}>
      <SpendFields form={form} empty={t('none')} />
      <NumberField
        label={t('Share of one account, in percent')}
        hint={t('Of the places for calls, and of a trunk’s calls per second, beside other accounts. Empty: 50')}
        limits={LIMITS.UpdateSettingsBody.callShare}
        {...form.field('callShare')}
      />
    </SubmitForm>
  );
}
