// The page that makes an alert rule.
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { go, link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';
import { AlertFields } from './alert-fields.tsx';
import { alertBody, freshAlert } from './alert-form.ts';

export default function AlertNewPage() {
  const form = useForm(freshAlert(), async ({ values }) => {
    const { data } = await call('createAlertRule', { body: alertBody(values) });
    say(t('The alert watches your calls'));
    go(link(`/alerts/${data.id}`), { replace: true });
  });
  return (
    <Page title={t('New alert')} back={{ href: link('/alerts'), text: t('Alerts') }}>
      <SubmitForm
        form={form}
        isNarrow
        shown={Object.keys(form.values)}
        send={t('Create the alert')}
        beside={<ButtonLink href={link('/alerts')}>{t('Cancel')}</ButtonLink>}
      >
        <AlertFields form={form} />
      </SubmitForm>
    </Page>
  );
}
