declare module '@usebruno/lang' {
  interface BrunoParameter {
    readonly name: string;
    readonly value: string;
    readonly enabled: boolean;
    readonly type: 'query' | 'path';
  }

  interface BrunoRequest {
    readonly meta: { readonly name: string; readonly type: 'http'; readonly seq: number | string };
    readonly http: {
      readonly method: string;
      readonly url: string;
      readonly body: 'json' | 'none';
      readonly auth: 'none';
    };
    readonly params?: readonly BrunoParameter[];
    readonly body?: { readonly json: string };
    readonly settings?: { readonly encodeUrl: boolean };
  }

  /** The text of a request's file. */
  export function jsonToBruV2(request: BrunoRequest): string;
  export function bruToJsonV2(text: string): BrunoRequest;
  export function collectionBruToJson(text: string): {
    readonly script: { readonly req: string; readonly res: string };
  };
}
