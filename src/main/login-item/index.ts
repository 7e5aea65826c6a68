import type { LoginItem } from '#shared/bridge/app'
import { fileFailure } from '../core/failure-of'
import { defineModule } from '../core/module'

/** How the system opens programs at login. */
export interface LoginItemHost {
  read(): LoginItem | Promise<LoginItem>
  change(isOn: boolean): void | Promise<void>
}

/** Opens the application at login. The system's state is the only one: nothing is stored in the settings. */
export function createLoginItem({ loginItem }: { readonly loginItem: LoginItemHost }) {
  async function attempt<Result>(act: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await act()
    } catch (error) {
      throw fileFailure(error, 'loginItem.change')
    }
  }
  return defineModule({
    handlers: {
      'loginItem.read': () => attempt(loginItem.read),
      'loginItem.change': ({ isOn }: { readonly isOn: boolean }) =>
        attempt(async () => {
          await loginItem.change(isOn)
          return loginItem.read()
        }),
    },
    events: {},
    forgetAccount: 'keeps-nothing',
  })
}
