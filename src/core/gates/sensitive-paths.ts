// Which files count as what when a change is shown: by the habits of the languages that have presets, and of the usual
// CI systems. The first kind that matches counts.

export const sensitivePaths = {
  /** Whose keys sign for the repository. */
  operators: [".pairflow/operators.yaml"],
  /** What agents and reviewers are told to go by. */
  knowledge: [
    ".pairflow/sops/**",
    "**/constitution.md",
    ".pairflow/conventions.ndjson",
    "**/{AGENTS,CLAUDE}.md",
  ],
  /** What runs after the change has left this machine. */
  ci: [
    ".github/{workflows,actions}/**",
    ".gitlab-ci.{yml,yaml}",
    ".gitlab/ci/**",
    "**/Jenkinsfile*",
    ".circleci/**",
    "{azure-pipelines*,.azure-pipelines/**/*}.{yml,yaml}",
    ".buildkite/**",
    "bitbucket-pipelines.yml",
    ".travis.yml",
    "appveyor.yml",
    ".drone.{yml,yaml}",
    ".woodpecker/**",
    ".woodpecker.{yml,yaml}",
    "cloudbuild.{yml,yaml}",
    ".teamcity/**",
    ".forgejo/workflows/**",
    ".gitea/workflows/**",
  ],
  /** What decides whether a gate is red: its configuration, and the scripts it starts. */
  gates: [
    ".pairflow/config.yaml",
    "**/package.json",
    "**/{GNUmakefile,makefile}",
    "**/{justfile,Taskfile.{yml,yaml}}",
    "**/tsconfig*.json",
    "**/{.eslintrc,.eslintrc.*,eslint.config.*,.eslintignore,biome.json,biome.jsonc}",
    "**/{.prettierrc,.prettierrc.*,prettier.config.*,.prettierignore,.oxlintrc.json}",
    "**/{jest,vitest,vite,karma,playwright,cypress,ava,babel}.config.*",
    "**/{.mocharc.*,.nycrc,.nycrc.*,.c8rc,.c8rc.*,nyc.config.*}",
    "**/{pyproject.toml,setup.cfg,tox.ini,pytest.ini,.coveragerc,noxfile.py,mypy.ini,.mypy.ini,.flake8,.pylintrc}",
    "**/{ruff.toml,.ruff.toml,pyrightconfig.json}",
    "**/.golangci.{yml,yaml,toml,json}",
    "**/{clippy.toml,.clippy.toml,rustfmt.toml,.rustfmt.toml,tarpaulin.toml,.tarpaulin.toml,nextest.toml}",
    "**/.cargo/config{,.toml}",
    "**/{pom.xml,build.gradle,build.gradle.kts,settings.gradle,settings.gradle.kts,gradle.properties}",
    "**/{checkstyle*.xml,pmd*.xml,spotbugs*.xml,config/checkstyle/**}",
    "**/{.codecov.yml,codecov.yml,.coveralls.yml,sonar-project.properties}",
    "**/{.pre-commit-config.yaml,lefthook.{yml,yaml}}",
    "**/.husky/**",
    "**/.githooks/**",
  ],
  /** Tests themselves, and what they compare with. */
  tests: [
    "**/{test,tests,__tests__,spec,specs,e2e,testdata,__snapshots__,__fixtures__,fixtures,__mocks__}/**",
    "**/*.{test,spec,e2e,cy}.{js,jsx,ts,tsx,mjs,cjs,mts,cts,vue}",
    "**/*.snap",
    "**/*_test.{go,py}",
    "**/{test_*,conftest}.py",
    "**/*{Test,Tests,IT,Spec}.{java,kt,groovy,scala}",
    "**/src/test/**",
    "**/*.golden",
  ],
} as const;
