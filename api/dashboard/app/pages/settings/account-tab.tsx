// The tab of the account: its name, time zone, default campaign and retention.
import * as LIMITS from '../../api-limits.ts';
import type { Account } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatWord } from '../../format.ts';
import { link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField, TextField } from '../../ui/fields/field.tsx';
import { CampaignField } from '../../ui/fields/record-field.tsx';
import { TimeZoneField } from '../../ui/fields/time-zone-field.tsx';
import { Card, Facts } from '../../ui/layout.tsx';
import { Answer, ErrorNotice } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';

export function AccountTab() {
  const account = useApi('getAccount', {});
  return <Answer of={account}>{({ data }) => <AccountForm account={data} key={data.id} />}</Answer>;
}

const valuesOf = ({ name, timezone, defaultCampaignId, retentionDays }: Account) => ({
  name,
  timezone,
  defaultCampaignId,
  retentionDays,
});
const SHOWN = ['name', 'timezone', 'defaultCampaignId', 'retentionDays'];

function AccountForm({ account }: { account: Account }) {
  const form = useForm(valuesOf(account), async ({ changes, rebase }) => {
    const { data } = await call('updateAccount', { body: changes });
    rebase(valuesOf(data));
    say(t('Saved'));
  });
  useUnsaved(form.isChanged, { of: 'tab' });
  const { values, field } = form;
  const erasesSooner = values.retentionDays !== null && form.changes.retentionDays !== undefined;
  return (
    <form class="stack narrow" onSubmit={form.submit}>
      <Card>
        <TextField
          label={t('Name')}
          hint={t('Shown in the mails that invite people')}
          required
          limits={LIMITS.UpdateAccountBody.name}
          {...field('name')}
        />
        <TimeZoneField
          hint={t('Your monthly minutes are counted in it. Businesses and campaigns have their own.')}
          {...field('timezone')}
        />
        <CampaignField
          label={t('Default campaign')}
          hint={t('It answers calls to numbers that serve no campaign')}
          none={t('None: such calls are refused')}
          {...field('defaultCampaignId')}
        />
        <NumberField
          label={t('Keep calls for … days')}
          hint={
            erasesSooner
              ? t(
                  'From the next night on, calls that began longer ago are erased, with recording and transcript. This cannot be undone.',
                )
              : t('Older calls are erased every night, with recording and transcript. Empty: they are kept.')
          }
          limits={LIMITS.UpdateAccountBody.retentionDays}
          {...field('retentionDays')}
        />
        <ErrorNotice error={form.error} shown={SHOWN} />
        <div>
          <Button right="change" look="primary" isBusy={form.isSending} disabled={!form.isChanged}>
            {t('Save')}
          </Button>
        </div>
      </Card>
      <Facts
        facts={[
          [
            t('Plan'),
            <a key="plan" href={link('/billing')}>
              {formatWord(account.plan)}
            </a>,
          ],
          [t('Account'), <code key="id">{account.id}</code>],
          [t('Since'), <Time key="since" at={account.createdAt} />],
        ]}
      />
    </form>
  );
}
