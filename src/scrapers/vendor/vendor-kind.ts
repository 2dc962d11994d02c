import type { HeaderList, Redirect, TargetCookie } from '../../domain/fetch-result.ts';
import type { ProxyType, Task } from '../../domain/task.ts';
import type {
  VendorCapabilities,
  VendorKindRules,
  VendorReason,
  VendorSettings,
} from '../../domain/vendors.ts';

/** A scrape, as a kind gets it. */
export interface VendorCall {
  readonly task: Task;
  /** One of the vendor's. */
  readonly proxyType: ProxyType;
  readonly settings: VendorSettings;
  /** Time that is left for the answer, ms. */
  readonly timeoutMs: number;
  /** Name of the session at the vendor: the caller's, made different for each user; null: none. */
  readonly session: string | null;
}

export interface VendorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  /** After the base URL, with the query. Begins with `/`; empty: the base URL itself. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** The response of a vendor's API. */
export interface VendorReply {
  readonly status: number;
  /** Names lower-case. */
  readonly headers: HeaderList;
  /** After content decoding. */
  readonly body: Uint8Array;
  /** Wall clock, ms since the epoch. */
  readonly receivedAt: number;
  /** The value of a header; null: there is none. */
  header(name: string): string | null;
  /** The body as JSON; undefined: it is not JSON. */
  json(): unknown;
}

/** What a vendor charges for an answer. */
interface VendorCharge {
  /** As the vendor reports them; null: it does not. */
  readonly credits: number | null;
  /** By the vendor's rules, for prices by success. */
  readonly isCharged: boolean;
  readonly requestId: string | null;
}

/** The page, as the vendor tells it. null: it does not tell. */
export interface VendorPage extends VendorCharge {
  readonly trouble: null;
  readonly statusCode: number | null;
  /** Names lower-case. */
  readonly headers: HeaderList | null;
  /** `Content-Type` of the body, of vendors that tell no other header of the page. */
  readonly contentType?: string | null;
  readonly finalUrl: string | null;
  readonly cookies: readonly TargetCookie[] | null;
  readonly redirects: readonly Redirect[];
  readonly body: Uint8Array;
  /** The body is the document after its scripts ran, in UTF-8. */
  readonly isRendered: boolean;
  /** The body is text that the vendor has decoded: it is UTF-8, whatever `headers` say. */
  readonly isDecoded?: boolean;
  /** PNG or JPEG; null: none. */
  readonly screenshot: Uint8Array | null;
}

/** Why there is no page. */
export interface VendorTrouble extends VendorCharge {
  readonly trouble: VendorReason;
  /** Continues "The vendor x …", without secrets. */
  readonly message: string;
  /** Status of the target's response; null: not known. */
  readonly statusCode: number | null;
  /** How long to leave the vendor alone; null: it does not say. */
  readonly retryAfterMs: number | null;
}

export type VendorAnswer = VendorPage | VendorTrouble;

/** One API, as data and two pure functions. */
export interface VendorKindSpec extends VendorKindRules {
  capabilities(settings: VendorSettings): VendorCapabilities;
  /** The most credits that one call can cost; null: not known. */
  maxCredits(task: Task, proxyType: ProxyType, settings: VendorSettings): number | null;
  build(call: VendorCall): VendorRequest;
  /** Never throws because of the reply. */
  read(reply: VendorReply, call: VendorCall): VendorAnswer;
}
