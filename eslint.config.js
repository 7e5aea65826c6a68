import pluginVue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'
import vueParser from 'vue-eslint-parser'

// Vue's own rules for templates and macros, and rules about variables of components, whose uses in templates oxlint does
// not see. Without types. oxlint checks everything else (.oxlintrc.json), scripts/imports.test.ts the imports between folders.

// The formatter decides the layout.
const layoutRules = Object.entries(pluginVue.rules)
  .filter(([, rule]) => rule.meta.type === 'layout')
  .map(([name]) => [`vue/${name}`, 'off'])

export default tseslint.config(
  { ignores: ['out/', 'dist/', 'test-results/', 'playwright-report/', '.cache/', '**/*.{js,mjs,cjs}'] },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.vue'],
    extends: [...pluginVue.configs['flat/recommended']],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: { parser: vueParser, parserOptions: { parser: tseslint.parser } },
    rules: {
      ...Object.fromEntries(layoutRules),
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'vue/multi-word-component-names': 'off',
      'vue/component-name-in-template-casing': ['error', 'PascalCase', { registeredComponentsOnly: false }],
      'vue/define-macros-order': 'error',
      'vue/no-v-html': 'error',
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      // With exactOptionalPropertyTypes an optional prop is undefined by type, so a default adds nothing.
      'vue/require-default-prop': 'off',
    },
  },
)
