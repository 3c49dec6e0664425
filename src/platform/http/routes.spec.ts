import { describe, expect, it } from '@jest/globals';
import { type FastifyRequest } from 'fastify';
import { type FunctionResponse, type RpcResponse } from '../../contract/calls.js';
import { AnyCreatorById } from '../../contract/calls/creators.js';
import { PageRequest } from '../../contract/calls/shared.js';
import { type HealthAnswer } from '../../contract/routes.js';
import { type Principal } from '../principal.js';
import { CONTRACT_ENTRY, Endpoint, Fn, ROUTE_OPTIONS, Rpc } from './routes.js';

const open = { access: 'public' } as const;

class MissesOffset {
  p_limit?: number;
}
class HasMore extends PageRequest {
  p_more?: string;
}
class WrongType {
  p_limit?: string;
  p_offset?: number;
}
class OptionalCreator {
  p_creator_id?: string;
}
class StricterSession {
  sessionId!: string;
}

type Purchases = RpcResponse<'get_user_purchases_by_jwt'>;
type CreatorInfo = RpcResponse<'get_creator_info_for_sharing'>;
type Lookup = FunctionResponse<'get-checkout-session'>;

/** The compiler checks this class: each `@ts-expect-error` fails the type check once the line below it compiles. */
class Handlers {
  @Rpc('get_user_purchases_by_jwt', open)
  async fits(_user: Principal, _body: PageRequest): Promise<Purchases> {
    return [];
  }

  @Rpc('get_user_purchases_by_jwt', open)
  async mayAnswerReadonly(_request: FastifyRequest, _body: PageRequest): Promise<Readonly<Purchases>> {
    return [];
  }

  @Rpc('check_admin_by_jwt', open)
  async needsNoBody(_user: Principal | null): Promise<boolean> {
    return true;
  }

  @Endpoint('GET /healthz', open)
  mayAnswerSynchronously(): HealthAnswer {
    return { status: 'ok' };
  }

  // @ts-expect-error There is no such role.
  @Rpc('check_admin_by_jwt', { access: 'admn' })
  async unknownRole(): Promise<boolean> {
    return true;
  }

  // @ts-expect-error There is no such role.
  @Rpc('check_admin_by_jwt', { access: 'admin', alsoFor: ['finanse'] })
  async unknownOtherRole(): Promise<boolean> {
    return true;
  }

  // @ts-expect-error The contract has no such call.
  @Rpc('get_everything', open)
  async unknownCall(): Promise<boolean> {
    return true;
  }

  // @ts-expect-error The contract has no such function.
  @Fn('check_admin_by_jwt', open)
  async unknownFunction(): Promise<boolean> {
    return true;
  }

  // @ts-expect-error The contract has no such route.
  @Endpoint('GET /nowhere', open)
  unknownRoute(): HealthAnswer {
    return { status: 'ok' };
  }

  // @ts-expect-error The request lacks a field.
  @Rpc('get_user_purchases_by_jwt', open)
  async lacksField(_body: MissesOffset): Promise<Purchases> {
    return [];
  }

  // @ts-expect-error The request has a field that the contract does not have.
  @Rpc('get_user_purchases_by_jwt', open)
  async hasMore(_body: HasMore): Promise<Purchases> {
    return [];
  }

  // @ts-expect-error A field has another type.
  @Rpc('get_user_purchases_by_jwt', open)
  async hasWrongType(_body: WrongType): Promise<Purchases> {
    return [];
  }

  // @ts-expect-error A field that the contract requires is optional.
  @Rpc('get_creator_info_for_sharing', open)
  async isLooser(_body: OptionalCreator): Promise<CreatorInfo> {
    return null;
  }

  // @ts-expect-error The request is missing.
  @Rpc('get_user_purchases_by_jwt', open)
  async takesNothing(_user: Principal): Promise<Purchases> {
    return [];
  }

  // @ts-expect-error The call takes no parameters.
  @Rpc('check_admin_by_jwt', open)
  async takesTooMuch(_body: AnyCreatorById): Promise<boolean> {
    return true;
  }

  // @ts-expect-error The contract allows a request that the handler does not.
  @Fn('get-checkout-session', open)
  async isStricter(_body: StricterSession): Promise<Lookup> {
    throw new Error('Never called.');
  }

  // @ts-expect-error The answer has another type.
  @Rpc('check_admin_by_jwt', open)
  async answersText(): Promise<string> {
    return 'true';
  }

  // @ts-expect-error The answer has one more field.
  @Rpc('get_creator_info_for_sharing', open)
  async answersMore(_body: AnyCreatorById): Promise<(NonNullable<CreatorInfo> & { more?: string }) | null> {
    return null;
  }

  // @ts-expect-error The answer lacks null.
  @Rpc('get_creator_info_for_sharing', open)
  async neverNull(_body: AnyCreatorById): Promise<NonNullable<CreatorInfo>> {
    throw new Error('Never called.');
  }

  // @ts-expect-error The answer has another type.
  @Endpoint('GET /healthz', open)
  answersOther(): { status: string } {
    return { status: 'ok' };
  }
}

describe('Rpc', () => {
  it('stores the access and the contract entry of the handler', () => {
    expect(Reflect.getMetadata(ROUTE_OPTIONS, Handlers.prototype.fits)).toEqual({ access: 'public' });
    expect(Reflect.getMetadata(CONTRACT_ENTRY, Handlers.prototype.fits)).toEqual({
      kind: 'rpc',
      name: 'get_user_purchases_by_jwt',
    });
  });
});
