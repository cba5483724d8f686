// The page that adds a trunk.
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { go, link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { t } from '../../words/words.ts';
import { TRUNK_FIELDS, TrunkFields } from './trunk-fields.tsx';
import { NEW_TRUNK, newBodyOf } from './trunk-values.ts';

export default function TrunkNewPage() {
  const form = useForm(NEW_TRUNK, async ({ values, changes }) => {
    const { data } = await call('createTrunk', { body: newBodyOf(values, changes) });
    say(t('{name} is in use', { name: data.name }));
    go(link(`/admin/trunks/${data.id}`), { replace: true });
  });
  useUnsaved(form.isChanged);
  return (
    <Page
      title={t('New trunk')}
      lead={t('A name and a host are enough; the defaults suit most providers.')}
      back={{ href: link('/admin/trunks'), text: t('Trunks') }}
    >
      <SubmitForm
        form={form}
        shown={TRUNK_FIELDS}
        send={t('Add the trunk')}
        beside={<ButtonLink href={link('/admin/trunks')}>{t('Cancel')}</ButtonLink>}
      >
        <TrunkFields form={form} />
      </SubmitForm>
    </Page>
  );
}
