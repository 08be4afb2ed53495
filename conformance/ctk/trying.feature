Feature: What is tried again, and what is done about it

  Scenario: The third attempt succeeds
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: retry, version: '1.0.0' }
      input:
        from: { count: 0 }
      do:
        - again:
            try:
              - count:
                  set: { count: '${ $context.count + 1 }' }
                  export: { as: . }
              - doubt:
                  if: $context.count < 3
                  raise:
                    error: { type: 'https://ours.example/busy', status: 503, title: Busy }
              - answer:
                  set: { attempts: '${ $context.count }' }
            catch:
              errors: { with: { status: 503 } }
              retry:
                delay: { milliseconds: 1 }
                backoff: { exponential: {} }
                limit: { attempt: { count: 2 } }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      attempts: 3
      """

  Scenario: Attempts run out
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: retry-in-vain, version: '1.0.0' }
      use:
        retries:
          twice:
            delay: { milliseconds: 1 }
            limit: { attempt: { count: 2 } }
        errors:
          busy: { type: 'https://ours.example/busy', status: 503, title: Busy }
      do:
        - again:
            try:
              - count:
                  set: { count: '${ ($context.count // 0) + 1 }' }
                  export: { as: . }
              - fail:
                  raise: { error: busy }
            catch:
              retry: twice
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://ours.example/busy
      status: 503
      title: Busy
      instance: /do/0/again/try/1/fail
      """
    And again should fault with error:
      """yaml
      status: 503
      """
    And count should complete with output:
      """yaml
      count: 3
      """

  Scenario: An error is handled, and nothing else is known of it
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: handled, version: '1.0.0' }
      do:
        - careful:
            try:
              - divide:
                  set: { share: '${ .cake / .guests }' }
            catch:
              as: trouble
              do:
                - note:
                    set: { status: '${ $trouble.status }', kept: '${ .cake }' }
        - serve:
            set: { served: '${ .kept }', because: '${ .status }' }
      """
    And given the workflow input is:
      """yaml
      cake: 1
      guests: 0
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      served: 1
      because: 400
      """
    And divide should fault with error:
      """yaml
      status: 400
      instance: /do/0/careful/try/0/divide
      """
    And careful should complete
    And note should run after divide
