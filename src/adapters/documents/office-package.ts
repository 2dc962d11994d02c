import { type Archive, memberText, resolveMember } from './archive.ts';
import { cleanDate, cleanProperty, type ReadPart } from './read-part.ts';
import { firstTexts, readXml } from './xml-events.ts';

/** The member of an Office Open XML file with its properties. */
export const CORE_MEMBER = 'docProps/core.xml';

export function coreProperties(archive: Archive): Pick<ReadPart, 'title' | 'author' | 'created'> {
  const names = ['dc:title', 'dc:creator', 'dcterms:created'];
  const texts = firstTexts(memberText(archive, CORE_MEMBER), names);
  return {
    title: cleanProperty(texts.get('dc:title')),
    author: cleanProperty(texts.get('dc:creator')),
    created: cleanDate(texts.get('dcterms:created')),
  };
}

/** A member that another one refers to. */
export interface OfficeRelation {
  /** The last part of its type, such as `styles`. */
  readonly type: string;
  readonly member: string;
}

/** The members that a member refers to, by the ids that it uses for them (ECMA-376 part 2, §9.3). */
export function relations(archive: Archive, member: string): ReadonlyMap<string, OfficeRelation> {
  const nameStart = member.lastIndexOf('/') + 1;
  const xml = memberText(archive, `${member.slice(0, nameStart)}_rels/${member.slice(nameStart)}.rels`);
  const targets = new Map<string, OfficeRelation>();
  if (xml === null) return targets;
  readXml(xml, {
    open(name, { Id, Type = '', Target, TargetMode }) {
      if (name !== 'Relationship' || Id === undefined || Target === undefined || TargetMode === 'External')
        return;
      const type = Type.slice(Type.lastIndexOf('/') + 1);
      targets.set(Id, { type, member: resolveMember(member, Target) });
    },
  });
  return targets;
}
