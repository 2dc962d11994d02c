import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { isObject, type Json, type Path } from '../model/json.ts';
import { BODY_KINDS, type BodyKind, bodyKindOf, emptyBody, jsonBody, jsonOf } from '../model/request-body.ts';
import type { Field } from '../model/request-fields.ts';
import { type ControlKind, isShownBy, type JsonSchema } from '../model/schema.ts';
import { JsonControl } from './controls.tsx';
import classes from './form.module.css';
import { useField } from './form-context.ts';
import { MapControl } from './map-control.tsx';
import { ListControl } from './schema-field.tsx';

const BODY_LABELS: Readonly<Record<BodyKind, string>> = {
  none: t`None`,
  json: 'JSON',
  form: t`Form`,
  text: t`Text`,
  base64: 'Base64',
  multipart: t`Multipart`,
};

const BODY_HINTS: Readonly<Record<BodyKind, string>> = {
  none: t`No body is sent.`,
  json: t`Sent as application/json, unless the headers say otherwise.`,
  form: t`Sent as application/x-www-form-urlencoded.`,
  text: t`Sent as it is, as text/plain unless the headers say otherwise.`,
  base64: t`Binary data, encoded as base64.`,
  multipart: t`Sent as multipart/form-data. Each part has either a value or base64.`,
};

const MULTIPART_SCHEMA: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    ['name', 'value', 'base64', 'filename', 'content_type'].map((name) => [name, { type: 'string' }]),
  ),
};

/** The member `data`. Its schema allows any value, so the kinds of bodies are defined here. */
export function BodyField() {
  const { value: data, error, set } = useField(['data']);
  const kind = bodyKindOf(data);
  return (
    <fieldset aria-label={t`Body`} className={classes.map} data-pointer="/data">
      <div className={classes.mapHead}>
        <span className={classes.mapLabel}>
          <Trans>
            Body <code className={classes.apiName}>data</code>
          </Trans>
        </span>
      </div>
      <SegmentedControl
        aria-label={t`Body type`}
        className={classes.kinds}
        data={BODY_KINDS.map((kind) => ({ value: kind, label: BODY_LABELS[kind] }))}
        value={kind}
        onChange={(next) => set(emptyBody(next as BodyKind, data))}
      />
      <p className={classes.hint}>{hintOf(kind, data)}</p>
      <BodyOfKind kind={kind} data={data} />
      {error !== undefined && kind === 'none' && <p className={classes.error}>{error}</p>}
    </fieldset>
  );
}

const hintOf = (kind: BodyKind, data: Json | undefined): string =>
  typeof data === 'string' ? t`Sent as JSON, form or text, depending on its content.` : BODY_HINTS[kind];

const fieldAt = (path: Path, kind: ControlKind, schema: JsonSchema): Field => ({
  path,
  pointer: `/${path.join('/')}`,
  name: 'json',
  kind,
  schema,
});

function BodyOfKind({ kind, data }: { readonly kind: BodyKind; readonly data: Json | undefined }) {
  switch (kind) {
    case 'none':
      return null;
    case 'json':
      return <JsonControl field={fieldAt(['data'], 'json', {})} read={jsonOf} write={jsonBody} />;
    case 'form': {
      const field = { ...fieldAt(['data', '$form'], 'map', {}), name: 'fields' };
      const isTextMap = isObject(data) && isShownBy('map', data.$form, null);
      return isTextMap ? <MapControl field={field} empty={{}} /> : <JsonControl field={field} />;
    }
    case 'text':
      return (
        <BodyText path={typeof data === 'string' ? ['data'] : ['data', '$raw']} label={t`Text of the body`} />
      );
    case 'base64':
      return (
        <>
          <BodyText path={['data', '$base64']} label={t`Base64 of the body`} />
          <BodyType />
        </>
      );
    case 'multipart': {
      const field = {
        ...fieldAt(['data', '$multipart'], 'list', { type: 'array', items: MULTIPART_SCHEMA }),
        name: 'parts',
      };
      const isObjectList = isObject(data) && isShownBy('list', data.$multipart, null);
      return isObjectList ? <ListControl field={field} /> : <JsonControl field={field} />;
    }
  }
}

function BodyText({ path, label }: { readonly path: Path; readonly label: string }) {
  const { value, pointer, error, set } = useField(path);
  return (
    <Textarea
      aria-label={label}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      error={error}
      data-pointer={pointer}
      classNames={{ input: 'mono' }}
      autosize
      minRows={4}
      maxRows={16}
      spellCheck={false}
    />
  );
}

function BodyType() {
  const { value, pointer, error, set } = useField(['data', 'content_type']);
  return (
    <TextInput
      label={t`Content type`}
      placeholder="application/octet-stream"
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.value)}
      error={error}
      data-pointer={pointer}
      spellCheck={false}
    />
  );
}
